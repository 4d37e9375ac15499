import CShoalSystem
import Glibc

/// A directory that is empty at first and gone with the value, also where what was to use it could not be made.
final class TestDirectory: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/shoal-test-XXXXXX".utf8CString)
        precondition(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { shoal_remove_tree(path) }
}
