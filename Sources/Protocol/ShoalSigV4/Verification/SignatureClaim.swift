import ShoalCrypto
import ShoalHTTP
import ShoalS3

/// What a V4 request claims about itself, read from its header or its query.
struct SignatureClaim {
    let mechanism: Authentication.Mechanism
    /// Line one of the string to sign, as sent.
    let algorithm: ArraySlice<UInt8>
    /// Line two of the string to sign, as sent.
    let date: ArraySlice<UInt8>
    let issued: Timestamp
    let expiry: Timestamp?
    let credential: ArraySlice<UInt8>
    let signedHeaders: ArraySlice<UInt8>
    let signature: ArraySlice<UInt8>
    /// The last line of the canonical request.
    let payload: ArraySlice<UInt8>
    let token: ArraySlice<UInt8>?

    /// The answer to a scope that is wrong.
    func refusal(_ fault: ScopeFault) -> S3Error {
        let elements = fault.region.map { [S3Error.Element("Region", $0)] } ?? []
        return mechanism == .queryV4
            ? S3Error(
                .authorizationQueryParametersError, "Error parsing the X-Amz-Credential parameter; \(fault.text)",
                elements: elements)
            : S3Error(
                .authorizationHeaderMalformed, "The authorization header is malformed; \(fault.text)",
                elements: elements)
    }

    /// The scope's day must be the UTC day of the date.
    func checkDay(of scope: CredentialScope) throws(S3Error) {
        guard !scope.day.elementsEqual(issued.day.utf8) else { return }
        if mechanism == .queryV4 {
            throw S3Error(
                .authorizationQueryParametersError,
                "Invalid credential date \"\(scope.day.text)\". This date is not the same as X-Amz-Date: "
                    + "\"\(date.prefix(8).text)\".")
        }
        throw S3Error(
            .authorizationHeaderMalformed,
            "The authorization header is malformed; Invalid credential date. Date is not the same as X-Amz-Date.")
    }
}

/// The `SignatureDoesNotMatch` answer, which shows the client what the server signed.
enum SignatureMismatch {
    /// `canonicalRequest` is nil where S3 leaves that pair out: V2, POST forms, chunks.
    static func refusal(
        accessKeyId: ArraySlice<UInt8>, stringToSign: ArraySlice<UInt8>, provided: ArraySlice<UInt8>,
        canonicalRequest: ArraySlice<UInt8>? = nil
    ) -> S3Error {
        var elements = [
            S3Error.Element("AWSAccessKeyId", accessKeyId.text),
            S3Error.Element("StringToSign", stringToSign.text),
            S3Error.Element("SignatureProvided", provided.text),
            S3Error.Element("StringToSignBytes", octets(stringToSign)),
        ]
        if let canonicalRequest {
            elements.append(S3Error.Element("CanonicalRequest", canonicalRequest.text))
            elements.append(S3Error.Element("CanonicalRequestBytes", octets(canonicalRequest)))
        }
        return S3Error(.signatureDoesNotMatch, elements: elements)
    }

    /// `41 57 53 34`: two digits an octet, single blanks between.
    private static func octets(_ bytes: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 3)
        for byte in bytes {
            if !text.isEmpty { text.append(UInt8(ascii: " ")) }
            text += Hexadecimal.encode(CollectionOfOne(byte))
        }
        return text[...].text
    }
}
