import ShoalS3

extension Matcher {
    /// Whether every field holds for `subject`; `precedents` tells whether something has happened before.
    func fits(_ subject: some FaultSubject, precedents: (Precedent) -> Bool = { _ in false }) -> Bool {
        fitsExchange(subject) && fitsObject(subject) && fitsWords(subject)
            && (after.map(precedents) ?? true)
            && (alternatives.isEmpty || alternatives.contains { $0.fits(subject, precedents: precedents) })
            && !exclusions.contains { $0.fits(subject, precedents: precedents) }
    }

    private func fitsExchange(_ subject: some FaultSubject) -> Bool {
        if let connection, connection != (subject.exchange > 1 ? .reused : .fresh) { return false }
        if let presigned, presigned != subject.isPresigned { return false }
        if let expectContinue, expectContinue != subject.expectsContinue { return false }
        if let exchange, !exchange.matches(subject.exchange) { return false }
        if let attempt, !attempt.matches(subject.attempt) { return false }
        if let client, !client.matches(subject.client) { return false }
        if let isSecure, isSecure != subject.isSecure { return false }
        if let serverName, !serverName.matches(subject.serverName) { return false }
        if let protocols, !protocols.matches(subject.applicationProtocols) { return false }
        if let ageOfUrl, !ageOfUrl.matches(subject.ageOfURL) { return false }
        return true
    }

    private func fitsObject(_ subject: some FaultSubject) -> Bool {
        if !operations.isEmpty, !operations.contains(where: { $0.contains(subject.operation) }) { return false }
        if let key, !key.matches(subject.key) { return false }
        if let bucket, !bucket.matches(subject.bucket) { return false }
        if let size, !size.matches(subject.contentLength) { return false }
        if let partNumber, !partNumber.matches(subject.partNumber) { return false }
        if let uploadId, !uploadId.matches(subject.uploadID) { return false }
        if let version, !version.matches(subject.query("versionId")) { return false }
        return true
    }

    /// What has to be looked for among headers and parameters.
    private func fitsWords(_ subject: some FaultSubject) -> Bool {
        if let range, !range.matches(subject.header("range")) { return false }
        if let userAgent, !userAgent.matches(subject.header("user-agent")) { return false }
        if let invocation, !invocation.matches(subject.header("amz-sdk-invocation-id")) { return false }
        if let sdkAttempt, !sdkAttempt.matches(subject.sdkAttempt) { return false }
        return headers.allSatisfy { $0.pattern.matches(subject.header($0.name)) }
            && parameters.allSatisfy { $0.pattern.matches(subject.query($0.name)) }
    }
}
