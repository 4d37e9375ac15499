import CShoalAdminAPI

/// `GET /_shoal/v1/openapi.json`: the admin API in OpenAPI 3.1, byte for byte `docs/openapi.json`.
/// https://spec.openapis.org/oas/v3.1.0.html
package enum OpenAPI {
    package static let document: [UInt8] = {
        var byteCount = 0
        return UnsafeBufferPointer(start: shoal_openapi(&byteCount), count: byteCount).map(UInt8.init(bitPattern:))
    }()
}
