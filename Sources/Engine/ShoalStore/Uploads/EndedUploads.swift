/// The uploads that ended last, so that their ids are told from ids that were never given.
struct EndedUploads {
    private static let countMax = 4_096

    private var uploads: [UploadNumber: StoredUpload] = [:]
    /// In the order they ended, from `oldest` on and around.
    private var numbers: [UploadNumber] = []
    private var oldest = 0

    subscript(number: UploadNumber) -> StoredUpload? { uploads[number] }

    /// Notes the end of an upload, without what its object was to have.
    mutating func note(_ upload: StoredUpload) {
        let record = UploadRecord(
            number: upload.record.number, key: upload.record.key, initiated: upload.record.initiated, attributes: [])
        if numbers.count < Self.countMax {
            numbers.append(record.number)
        } else {
            uploads[numbers[oldest]] = nil
            numbers[oldest] = record.number
            oldest = (oldest + 1) % Self.countMax
        }
        uploads[record.number] = StoredUpload(record: record, bucket: upload.bucket)
    }
}
