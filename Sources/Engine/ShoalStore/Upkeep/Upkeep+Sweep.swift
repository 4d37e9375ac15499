import ShoalSQLite

extension Upkeep {
    /// Removes what an earlier run left behind, and reports what it should have left and did not: received bodies
    /// without a commit, blobs without an object, objects without a blob. Runs after the start, beside the traffic.
    func sweep(isStopping: () -> Bool) {
        turn.withLock { _ in
            _ = attempt("sweep of staging", sweepStaging)
            for byte in UInt8.min...UInt8.max where !isStopping() {
                _ = attempt("sweep of blobs") { () throws(StoreError) in try sweepFolder(byte) }
            }
        }
    }

    private func sweepStaging() throws(StoreError) {
        for name in try disk.names(in: blobs.stagingDirectory) {
            // What is no id of ours is no business of ours.
            guard let id = BlobID(name: name), !blobs.isInFlight(id) else { continue }
            try disk.removeIfPresent(blobs.stagingPath(id))
        }
    }

    private func sweepFolder(_ byte: UInt8) throws(StoreError) {
        let names = try disk.names(in: "\(blobs.directory)/\(BlobID.folder(byte))")
        let files = names.compactMap { BlobID(name: $0) }
        // In this order: a body lands only after the catalogue has its row, so what is no longer in flight here and has
        // no row below has no object.
        let settled = files.filter { !blobs.isInFlight($0) }
        let named = try namedBlobs(byte)
        // One that somebody reads is asked about last: who holds it by then finds the object gone, or has it whole.
        for id in settled where !named.contains(id) && !holds.postpone(id) { try blobs.remove(id) }
        let missing = named.subtracting(files)
        guard !missing.isEmpty else { return }
        // An object may have come or gone since the folder was read.
        let stillNamed = try namedBlobs(byte)
        for id in missing where stillNamed.contains(id) && !disk.exists(blobs.path(id)) {
            options.report(StoreIncident("sweep of blobs", "an object names \(blobs.path(id)), which is missing"))
        }
    }

    private func namedBlobs(_ byte: UInt8) throws(StoreError) -> Set<BlobID> {
        try readers.read { (reader) throws(SQLiteError) in try reader.blobs(inFolder: byte) }
    }
}

extension Disk {
    /// False also if the file cannot be opened.
    func exists(_ path: String) -> Bool {
        do {
            _ = try open(path, .readOnly)
            return true
        } catch {
            return false
        }
    }
}
