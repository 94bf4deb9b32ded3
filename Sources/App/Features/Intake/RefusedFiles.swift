import Domain
import EventLoop
import Glibc
import Templates

/// Moves files of the watched folder to the subfolder `refused`, each with a text file that states the reason.
struct RefusedFiles: Sendable {
    let texts: Texts
    let log: Log
    let operations: FileOperations

    private static let subfolder = "refused"

    /// - Throws: `SystemError` if the file cannot be moved.
    func add(_ name: String, in folder: String, _ refusal: UploadRefusal, _ owner: Member) throws(SystemError) {
        try add(name, in: folder, sentence: refusal.sentence(texts[owner.language]), owner)
    }

    /// - Parameter key: the text with the reason.
    /// - Throws: `SystemError` if the file cannot be moved.
    func add(_ name: String, in folder: String, _ key: String, _ owner: Member) throws(SystemError) {
        try add(name, in: folder, sentence: texts[owner.language][key], owner)
    }

    /// Moves a file. A symbolic link is moved itself, not its target.
    private func add(_ name: String, in folder: String, sentence: String, _ owner: Member) throws(SystemError) {
        let refusedFolder = "\(folder)/\(Self.subfolder)"
        let failure = mkdir(refusedFolder, 0o770) == 0 ? 0 : errno
        guard WatchedFile.kind(refusedFolder) == S_IFDIR else { throw SystemError("mkdir", code: failure) }
        let target = Self.freePath(for: name, in: refusedFolder)
        let code = operations.move("\(folder)/\(name)", target)
        guard code == 0 else { throw SystemError("rename", code: code) }
        let descriptor = open("\(target).txt", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o660)
        if descriptor >= 0 {
            let text = Array("\(sentence)\n".utf8)
            _ = text.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            close(descriptor)
        }
        log.event(.warning, "watched folder", [("household", owner.household.description), ("refused", "1")])
    }

    /// Returns a path for the file. Neither this path nor the path of the text file exists yet.
    private static func freePath(for name: String, in folder: String) -> String {
        var target = "\(folder)/\(name)"
        var number = 1
        while WatchedFile.status(target) != nil || WatchedFile.status("\(target).txt") != nil {
            number += 1
            target = "\(folder)/\(number)-\(name)"
        }
        return target
    }
}
