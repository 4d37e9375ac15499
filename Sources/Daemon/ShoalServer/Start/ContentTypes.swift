import ShoalS3

/// The media types of common extensions.
package enum ContentTypes {
    private static let types: [String: String] = [
        "avif": "image/avif", "css": "text/css", "csv": "text/csv", "gif": "image/gif", "heic": "image/heic",
        "html": "text/html", "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript",
        "json": "application/json", "md": "text/markdown", "mov": "video/quicktime", "mp3": "audio/mpeg",
        "mp4": "video/mp4", "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml",
        "txt": "text/plain", "wasm": "application/wasm", "wav": "audio/wav", "webm": "video/webm",
        "webp": "image/webp", "xml": "application/xml", "zip": "application/zip",
    ]

    /// By what follows the last dot of the last segment; nil leaves it to S3's default.
    package static func type(ofKey key: ObjectKey) -> String? {
        let name = key.description.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        return types[name[name.index(after: dot)...].lowercased()]
    }
}
