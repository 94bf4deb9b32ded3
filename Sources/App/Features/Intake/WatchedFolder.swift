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
/// household by its digest, and only deletes it. A file that cannot be deleted is remembered in the database, so that it
/// is not imported again. A file that cannot be read is tried again later, and does not prevent the import of others.
struct WatchedFolder {
    let root: String
    let database: Database
    let quarantine: Quarantine
    let intake: ReceiptIntake
    let refused: RefusedFiles
    let operations: FileOperations
    let log: Log

    /// The files in the previous round. A file is imported only if it has not changed since that round.
    private var previousRound: [String: WatchedFile] = [:]
    private var retries = FileRetries()
    /// The names in the households' folders in the previous round.
    private var namesOfPreviousRound: [HouseholdID: [String]] = [:]
    // Households with a fault that was already logged: the folder cannot be read, a file cannot be deleted, or the name
    // of a file is not UTF-8.
    private var unreadable: Set<HouseholdID> = []
    private var undeletable: Set<HouseholdID> = []
    private var misnamed: Set<HouseholdID> = []

    /// A file counts as complete if it has not changed for this number of seconds.
    static let quietSeconds: Int64 = 5
    /// The maximum number of subfolders that are read in one round.
    private static let maximumFolders = 10_000
    /// The maximum number of files of one household that are imported, refused or tried again in one round.
    private static let maximumFiles = 200
    private static let unfinishedSuffixes = [".part", ".tmp", ".crdownload", ".filepart"]

    init(root: String, database: Database, texts: Texts, log: Log, operations: FileOperations = FileOperations()) {
        self.root = root
        self.database = database
        self.operations = operations
        self.log = log
        refused = RefusedFiles(texts: texts, log: log, operations: operations)
        quarantine = Quarantine(database: database)
        intake = ReceiptIntake(database: database, quarantine: quarantine)
    }

    /// An error in one household does not stop the others, unless the database is not available.
    ///
    /// - Throws: `SystemError` if the folder cannot be read; the first error of a household, at the end.
    mutating func round(now: Int64 = Int64(time(nil))) async throws {
        // No file can be stored. Attempts would only read the files again in each round and fill the log.
        guard !database.diskSpace.isFull else { return }
        var next: [String: WatchedFile] = [:]
        var households: Set<HouseholdID> = []
        var failure: (any Error)?
        for name in try FolderListing.names(root).prefix(Self.maximumFolders) {
            let folder = "\(root)/\(name)"
            guard let household = HouseholdID(name), WatchedFile.kind(folder) == S_IFDIR else { continue }
            households.insert(household)
            do {
                try await importFiles(of: household, in: folder, &next, now)
            } catch let error as PostgresError where error.isUnavailable {
                throw error
            } catch {
                failure = failure ?? error
            }
        }
        retries.keepOnly(next.keys)
        previousRound = next
        namesOfPreviousRound = namesOfPreviousRound.filter { households.contains($0.key) }
        if let failure { throw failure }
    }

    /// An error with one file does not stop the others, unless the database is not available or its disk is full.
    private mutating func importFiles(
        of household: HouseholdID, in folder: String, _ next: inout [String: WatchedFile], _ now: Int64
    ) async throws {
        guard let names = self.names(of: household, in: folder) else { return }
        var kept = KeptFiles(household, in: names, database)
        if namesOfPreviousRound[household] != names {
            try await kept.forgetMissing()
            namesOfPreviousRound[household] = names
        }
        guard !names.isEmpty, let owner = try await UploaderChoice.owner(of: household, database) else { return }
        var failure: (any Error)?
        var count = 0
        for name in names where count < Self.maximumFiles && !Self.unfinishedSuffixes.contains(where: name.hasSuffix) {
            let path = "\(folder)/\(name)"
            guard let status = WatchedFile.status(path) else {
                noteMissing(name, household)
                continue
            }
            guard status.st_mode & S_IFMT != S_IFDIR else { continue }
            let file = WatchedFile(status)
            next[path] = file
            guard retries.isDue(path, file, now: now) else { continue }
            let isRegular = status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
            guard !isRegular || previousRound[path] == file && Self.isQuiet(file, now) else { continue }
            count += 1
            do {
                guard isRegular else {
                    try refused.add(name, in: folder, "server.intake.no-file", owner)
                    continue
                }
                if try await !kept.contains(name, file) {
                    // Do not read files while the household has too many unread uploads: they would be refused.
                    guard try await intake.hasRoom(household) else { break }
                    guard try await importFile(name, in: folder, file, owner) else { continue }
                }
                try await delete(name, in: folder, file, &kept, now)
            } catch let error as PostgresError where error.isUnavailable || error.sqlState == .diskFull {
                throw error
            } catch let error as SystemError {
                // Another program has deleted or changed the file since.
                guard WatchedFile(path: path) == file else { continue }
                retries.recordFailure(path, file, now: now)
                report(household, error)
            } catch {
                retries.recordFailure(path, file, now: now)
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Returns the names in the household's folder; nil if it cannot be read.
    private mutating func names(of household: HouseholdID, in folder: String) -> [String]? {
        do {
            let names = try FolderListing.names(folder)
            unreadable.remove(household)
            return names
        } catch {
            if unreadable.insert(household).inserted { report(household, error) }
            return nil
        }
    }

    /// Reports a listed name for which no file exists, if the name on disk has bytes that are not UTF-8. The listing
    /// has replaced these bytes.
    private mutating func noteMissing(_ name: String, _ household: HouseholdID) {
        guard name.unicodeScalars.contains("\u{FFFD}"), misnamed.insert(household).inserted else { return }
        report(household, SystemError("lstat", code: EILSEQ))
    }

    private func report(_ household: HouseholdID, _ error: any Error) {
        log.event(
            .warning, "watched folder", [("household", household.description), ("error", Log.text(of: error))])
    }

    /// Whether the file has not changed for `quietSeconds`. A file time in the future, from a computer whose clock is
    /// ahead, also counts as quiet, because the file has not changed since the previous round.
    private static func isQuiet(_ file: WatchedFile, _ now: Int64) -> Bool {
        file.changedAt <= now - quietSeconds || file.changedAt > now + quietSeconds
    }

    /// Stores the file as a receipt, or moves it to the refused files.
    ///
    /// - Returns: whether the file is stored, and so can be deleted.
    /// - Throws: `SystemError` if the file cannot be read or moved; `PostgresError`.
    private func importFile(
        _ name: String, in folder: String, _ file: WatchedFile, _ owner: Member
    ) async throws -> Bool {
        let path = "\(folder)/\(name)"
        let outcome: UploadOutcome
        do {
            let received = try await receive(name, path, owner.household)
            // The file is still being written: import it in a later round.
            guard received.size == file.size, WatchedFile(path: path) == file else {
                try await quarantine.discard(received.blob, owner.household)
                return false
            }
            outcome = try await intake.register(received, by: owner)
        } catch let refusal as UploadRefusal {
            outcome = .refused(refusal)
        }
        switch outcome {
        case .arrived, .duplicate:
            log.event(.info, "watched folder", [("household", owner.household.description), ("files", "1")])
            return true
        case .refused(.full): return false
        case .refused(let refusal):
            try refused.add(name, in: folder, refusal, owner)
            return false
        }
    }

    private func receive(_ name: String, _ path: String, _ household: HouseholdID) async throws
        -> Quarantine.ReceivedFile
    {
        guard let file = OpenFile(path: path) else { throw SystemError("open") }
        var position = 0
        return try await quarantine.receive(name: name, household) {
            guard let bytes = operations.read(file, position..<(position + UploadLimits.chunkBytes)) else {
                throw SystemError("read")
            }
            position += bytes.count
            return bytes.isEmpty ? nil : bytes
        }
    }

    /// Deletes a file that was stored as a receipt. If this fails, records the file in the database.
    private mutating func delete(
        _ name: String, in folder: String, _ file: WatchedFile, _ kept: inout KeptFiles, _ now: Int64
    ) async throws {
        let path = "\(folder)/\(name)"
        // Another program may have replaced the file while it was stored. Then a later round imports the new file.
        guard WatchedFile(path: path) == file else { return }
        let code = operations.delete(path)
        guard code != 0, code != ENOENT else {
            undeletable.remove(kept.household)
            return try await kept.forget(name)
        }
        retries.recordFailure(path, file, now: now)
        if try await !kept.contains(name, file) { try await kept.remember(name, file) }
        if undeletable.insert(kept.household).inserted { report(kept.household, SystemError("unlink", code: code)) }
    }
}
