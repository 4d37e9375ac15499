import ShoalCrypto
import ShoalS3
import ShoalSeeded
import ShoalWire

// MARK: - Writing

extension ModelRun {
    mutating func put() throws {
        let (key, bytes) = (pick(), bytes())
        let current = model.current(key)
        let (condition, expected): ([WireRequest.Field], Int) =
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: ([("If-None-Match", "*")], current == nil ? 200 : 412)
            case 1: ([("If-Match", current?.etag ?? tag(of: [1]))], current == nil ? 404 : 200)
            case 2: ([("If-Match", tag(of: [9, 9, 9]))], current == nil ? 404 : 412)
            default: ([], 200)
            }
        let answer = try send(call("PUT", key, headers: condition, body: bytes))
        expect(answer.status == expected, "PUT \(key) \(condition): \(answer.status) \(answer.text)")
        guard answer.status == 200 else { return }
        expect(answer["ETag"] == tag(of: bytes), "the tag of PUT \(key)")
        model.put(key, .init(id: newID(answer), bytes: bytes, etag: tag(of: bytes)))
    }

    mutating func copy() throws {
        let (source, target) = (pick(), pick())
        guard source != target else { return }
        var path = Array("/photos/".utf8)
        URLEncoding.append(Array(source.utf8), to: &path)
        let header = ("x-amz-copy-source", String(decoding: path, as: UTF8.self))
        let answer = try send(call("PUT", target, headers: [header]))
        guard let original = model.current(source), let bytes = original.bytes else {
            return expect(answer.status == 404, "a copy of \(source), which is not there: \(answer.status)")
        }
        expect(answer.status == 200, "a copy of \(source): \(answer.status) \(answer.text)")
        if model.state == .suspended {
            expect(answer["x-amz-version-id"] == "null", "the id of a copy while suspended")
        }
        model.put(target, .init(id: newID(answer), bytes: bytes, etag: tag(of: bytes), tags: original.tags))
    }

    mutating func uploadInParts() throws {
        let (key, bytes) = (pick(), bytes())
        let begun = try send(call("POST", key, [("uploads", "")]))
        let upload = begun.element("UploadId") ?? ""
        let part = try send(call("PUT", key, [("partNumber", "3"), ("uploadId", upload)], body: bytes))
        if Int.random(in: 0..<3, using: &generator) == 0 {
            expect(try send(call("DELETE", key, [("uploadId", upload)])).status == 204, "an abort")
            return
        }
        let list =
            "<CompleteMultipartUpload><Part><PartNumber>3</PartNumber><ETag>\(part["ETag"] ?? "")</ETag></Part>"
            + "</CompleteMultipartUpload>"
        let completed = try send(call("POST", key, [("uploadId", upload)], body: Array(list.utf8)))
        let etag = "\"\(Hexadecimal.string(Digest.of(Digest.of(bytes, .md5), .md5)))-1\""
        expect(completed.status == 200, "a completion of \(key): \(completed.text)")
        expect(completed.element("ETag")?.contains(etag.dropFirst().dropLast()) == true, "the tag of \(key) in parts")
        model.put(key, .init(id: newID(completed), bytes: bytes, etag: etag))
    }

    mutating func tag() throws {
        let key = pick()
        let value = "v\(Int.random(in: 0..<9, using: &generator))"
        let body = "<Tagging><TagSet><Tag><Key>k</Key><Value>\(value)</Value></Tag></TagSet></Tagging>"
        let answer = try send(call("PUT", key, [("tagging", "")], body: Array(body.utf8)))
        guard model.current(key) != nil else {
            return expect(answer.status == 404 || answer.status == 405, "tags of nothing: \(answer.status)")
        }
        expect(answer.status == 200, "tags of \(key): \(answer.text)")
        model.setTags([value], of: key)
    }

    mutating func changeVersioning() throws {
        // Without versions for a good while first.
        guard number > 2_000 else { return }
        let state: S3Model.State = Bool.random(using: &generator) ? .enabled : .suspended
        let status = state == .enabled ? "Enabled" : "Suspended"
        let body = "<VersioningConfiguration><Status>\(status)</Status></VersioningConfiguration>"
        let answer = try send(call("PUT", nil, [("versioning", "")], body: Array(body.utf8)))
        expect(answer.status == 200, "versioning: \(answer.text)")
        model.state = state
    }
}

// MARK: - Deleting

extension ModelRun {
    mutating func delete() throws {
        let key = pick()
        let answer = try send(call("DELETE", key))
        expect(answer.status == 204, "DELETE \(key): \(answer.status)")
        guard model.state != .never else { return model.put(key, .init(id: "null")) }
        expect(answer["x-amz-delete-marker"] == "true", "no marker of \(key)")
        model.put(key, .init(id: answer["x-amz-version-id"] ?? "?"))
    }

    mutating func deleteVersion() throws {
        let key = pick()
        guard let victim = model.versions[key]?.randomElement(using: &generator) else { return }
        let answer = try send(call("DELETE", key, [("versionId", victim.id)]))
        expect(answer.status == 204, "DELETE \(key) \(victim.id): \(answer.status) \(answer.text)")
        expect((answer["x-amz-delete-marker"] == "true") == (victim.bytes == nil), "what \(victim.id) was")
        model.delete(key, id: victim.id)
    }

    mutating func deleteSeveral() throws {
        let keys = Set((0..<3).map { _ in pick() }).sorted()
        let body = "<Delete>" + keys.map { "<Object><Key>\($0)</Key></Object>" }.joined() + "</Delete>"
        let digest = ("Content-MD5", Base64.string(Digest.of(Array(body.utf8), .md5)))
        let answer = try send(call("POST", nil, [("delete", "")], headers: [digest], body: Array(body.utf8)))
        expect(answer.status == 200 && !answer.text.contains("<Error>"), "DeleteObjects: \(answer.text)")
        let markers = answer.text.components("DeleteMarkerVersionId")
        expect(markers.count == (model.state == .never ? 0 : keys.count), "the markers of DeleteObjects")
        for (index, key) in answer.text.components("Key").enumerated() {
            model.put(key, .init(id: model.state == .never ? "null" : markers[index]))
        }
    }
}
