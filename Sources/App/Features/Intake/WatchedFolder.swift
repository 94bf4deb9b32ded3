import CLinux
import Domain
import EventLoop
import Glibc
import HTTP
import Postgres
import Templates

/// Imports files from a folder that contains one subfolder for each household, named by the household's identifier.
///
/// A file is deleted after it is stored. If the server is killed before that, the next round finds the file in the
/// household by its digest, and only deletes it. Refused files are moved to the subfolder `refused`, each with a text
/// file that states the reason.
struct WatchedFolder {
    let root: String
    let database: Database
    let quarantine: Quarantine
    let intake: ReceiptIntake
    let texts: Texts
    let log: Log

    /// The files in the previous round. A file is imported only if it has not changed since that round.
    private var previousRound: [String: Facts] = [:]

    /// The number of seconds without a change after which a file counts as complete.
    static let quiet: Int64 = 5
    /// The largest number of subfolders in a round.
    private static let mostFolders = 10_000
    /// The largest number of files of a household in a round.
    private static let mostFiles = 200
    private static let refused = "refused"
    private static let unfinishedSuffixes = [".part", ".tmp", ".crdownload", ".filepart"]

    private struct Facts: Equatable {
        let size: Int64
        let changedAt: Int64
        let inode: UInt64
    }

    init(root: String, database: Database, texts: Texts, log: Log) {
        self.root = root
        self.database = database
        self.texts = texts
        self.log = log
        quarantine = Quarantine(database: database)
        intake = ReceiptIntake(database: database, quarantine: quarantine)
    }

    /// An error in one household does not stop the others, unless the database is not available.
    ///
    /// - Throws: `SystemError` if the folder cannot be read; the first error of a household, at the end.
    mutating func round(now: Int64 = Int64(time(nil))) async throws {
        var next: [String: Facts] = [:]
        var failure: (any Error)?
        for name in try FolderListing.names(root).prefix(Self.mostFolders) {
            let folder = "\(root)/\(name)"
            guard let household = HouseholdID(name), Self.kind(folder) == S_IFDIR else { continue }
            do {
                try await importFiles(of: household, in: folder, &next, now)
            } catch let error as PostgresError where error.isUnavailable {
                throw error
            } catch {
                failure = failure ?? error
            }
        }
        previousRound = next
        if let failure { throw failure }
    }

    /// Imports the files of a household that have not changed since the previous round.
    ///
    /// - Parameter next: the files of this round.
    private func importFiles(
        of household: HouseholdID, in folder: String, _ next: inout [String: Facts], _ now: Int64
    ) async throws {
        guard let names = try? FolderListing.names(folder), !names.isEmpty,
            let owner = try await UploaderChoice.owner(of: household, database)
        else { return }
        var count = 0
        for name in names where count < Self.mostFiles && !Self.unfinishedSuffixes.contains(where: name.hasSuffix) {
            let path = "\(folder)/\(name)"
            guard let status = Self.status(path) else { continue }
            let kind = status.st_mode & S_IFMT
            if kind == S_IFDIR { continue }
            count += 1
            guard kind == S_IFREG, status.st_nlink == 1 else {
                moveToRefused(name, in: folder, "server.intake.no-file", owner)
                continue
            }
            let facts = Facts(
                size: Int64(status.st_size), changedAt: Int64(status.st_mtim.tv_sec), inode: UInt64(status.st_ino))
            next[path] = facts
            guard previousRound[path] == facts, Self.isQuiet(facts, now) else { continue }
            // Do not read files while the household has too many unread uploads, because they would be refused.
            guard try await intake.hasRoom(household) else { break }
            if try await importFile(name, in: folder, facts, owner) { next[path] = nil }
        }
    }

    /// Whether the file has not changed for `quiet` seconds. A time in the future, of a machine whose clock is ahead,
    /// does not count: the file has not changed since the previous round.
    private static func isQuiet(_ facts: Facts, _ now: Int64) -> Bool {
        facts.changedAt <= now - quiet || facts.changedAt > now + quiet
    }

    /// - Returns: whether the file was deleted, moved or replaced.
    private func importFile(_ name: String, in folder: String, _ facts: Facts, _ owner: Member) async throws -> Bool {
        let path = "\(folder)/\(name)"
        guard let file = OpenFile(path: path), Int64(file.size) == facts.size else { return false }
        var position = 0
        let outcome: UploadOutcome
        do {
            let received = try await quarantine.receive(name: name, owner.household) {
                guard let bytes = file.read(position..<(position + UploadLimits.chunkBytes)) else {
                    throw SystemError("read")
                }
                position += bytes.count
                return bytes.isEmpty ? nil : bytes
            }
            // The file is still being written: import it in a later round.
            guard received.size == facts.size, Self.facts(path) == facts else {
                try await quarantine.discard(received.blob, owner.household)
                return false
            }
            outcome = try await intake.register(received, by: owner)
        } catch let refusal as UploadRefusal {
            outcome = .refused(refusal)
        }
        switch outcome {
        case .arrived, .duplicate:
            // Another program may have replaced the file while it was stored. Then a later round imports the new file.
            if Self.facts(path) == facts { unlink(path) }
            log.event(.info, "watched folder", [("household", owner.household.description), ("files", "1")])
            return true
        case .refused(.full): return false
        case .refused(let refusal):
            moveToRefused(name, in: folder, refusal, owner)
            return true
        }
    }

    private func moveToRefused(_ name: String, in folder: String, _ refusal: UploadRefusal, _ owner: Member) {
        moveToRefused(name, in: folder, sentence: refusal.sentence(texts[owner.language]), owner)
    }

    private func moveToRefused(_ name: String, in folder: String, _ key: String, _ owner: Member) {
        moveToRefused(name, in: folder, sentence: texts[owner.language][key], owner)
    }

    /// Moves a file to the subfolder `refused`. A symbolic link is moved itself, not its target.
    private func moveToRefused(_ name: String, in folder: String, sentence: String, _ owner: Member) {
        let refusedFolder = "\(folder)/\(Self.refused)"
        mkdir(refusedFolder, 0o770)
        guard Self.kind(refusedFolder) == S_IFDIR else { return }
        var target = "\(refusedFolder)/\(name)"
        for number in 2...99 where Self.status(target) != nil { target = "\(refusedFolder)/\(number)-\(name)" }
        guard rename("\(folder)/\(name)", target) == 0 else { return }
        let descriptor = open("\(target).txt", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o660)
        if descriptor >= 0 {
            let text = Array("\(sentence)\n".utf8)
            _ = text.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            close(descriptor)
        }
        log.event(.warning, "watched folder", [("household", owner.household.description), ("refused", "1")])
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    private static func kind(_ path: String) -> mode_t { (status(path)?.st_mode ?? 0) & S_IFMT }

    private static func facts(_ path: String) -> Facts? {
        guard let status = status(path) else { return nil }
        return Facts(
            size: Int64(status.st_size), changedAt: Int64(status.st_mtim.tv_sec), inode: UInt64(status.st_ino))
    }
}
