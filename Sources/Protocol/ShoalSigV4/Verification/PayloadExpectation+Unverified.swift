import ShoalHTTP

extension PayloadExpectation {
    /// For a request that is served although its signature is wrong: the framing is read, and chunk signatures are passed
    /// over as extensions.
    package init(unverified head: RequestHead) {
        guard let value = head.first("x-amz-content-sha256") else {
            self = .unsigned
            return
        }
        switch PayloadKeyword(value) {
        case .unsigned: self = .unsigned
        case .streamingUnsignedTrailer, .streamingSignedTrailer, .streamingECDSATrailer:
            self = .chunked(signing: nil, hasTrailer: true)
        case .streamingSigned, .streamingECDSA: self = .chunked(signing: nil, hasTrailer: false)
        case nil: self = PayloadKeyword.isDigest(value) ? .sha256(Array(value)) : .unsigned
        }
    }
}
