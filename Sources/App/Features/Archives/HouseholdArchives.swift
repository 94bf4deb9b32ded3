import CLinux
import Domain
import EventLoop
import Glibc

/// The archives of a household in the configured folder, and the jobs that create and restore them. The files of the
/// folder:
///
/// | file | meaning |
/// |---|---|
/// | `household-ID-TIME.tar` | a complete archive |
/// | `….tar.part` | an archive being written, or an upload in progress |
/// | `upload-ID.tar` | an uploaded archive |
/// | `….tar.job` | the job that creates or restores the archive of this name |
/// | `upload-….tar.progress` | the progress of a restore, in thousandths |
/// | `….tar.result` | the result of a restore, or the reason why an archive could not be made |
struct HouseholdArchives: Sendable {
    let household: HouseholdID
    let folder: String

    /// The number of complete archives to keep; the oldest is deleted after a new one is complete.
    static let maximumArchives = 3
    /// The age in seconds at which an upload without a job is deleted. A job is missing if the server was killed after
    /// the upload.
    private static let unusedUploadSeconds: Int64 = 3_600
    /// The seconds after the request during which a failed job may be retried.
    private static let retrySeconds: Int64 = 3_600
    /// The maximum size in bytes of a job's file.
    private static let maximumJobBytes = 10_000
    private static let prefix = "upload-"

    init(root: String, _ household: HouseholdID) {
        self.household = household
        folder = "\(root)/households/\(household)"
    }

    /// Returns one value for each household that has a folder under `root`.
    static func all(root: String) -> [HouseholdArchives] {
        ((try? FolderListing.names("\(root)/households")) ?? []).compactMap { name in
            HouseholdID(name).map { HouseholdArchives(root: root, $0) }
        }
    }

    struct Entry: Sendable, Equatable {
        let name: String
        /// Seconds since 1970.
        let changedAt: Int64
        let size: Int64
        let state: State
    }

    enum State: Sendable, Equatable {
        /// Complete; can be downloaded.
        case complete
        /// Being created.
        case making
        /// Waiting to be restored or being restored, with the progress in thousandths.
        case restoring(Int)
        /// Restored as this household.
        case restored(HouseholdID)
        /// Not restored, or not created; with the last part of the text key for the reason.
        case refused(String)
    }

    /// Returns all complete archives, jobs and results, the newest first.
    func entries() -> [Entry] {
        let names = (try? FolderListing.names(folder)) ?? []
        return names.compactMap { name in entry(name, Set(names)) }.sorted { $0.name > $1.name }
            .sorted { $0.changedAt > $1.changedAt }
    }

    private func entry(_ name: String, _ names: Set<String>) -> Entry? {
        func newEntry(_ path: String, _ archive: String, _ state: State) -> Entry? {
            FolderListing.facts("\(folder)/\(path)").map {
                Entry(name: archive, changedAt: $0.changedAt, size: $0.size, state: state)
            }
        }
        if name.hasSuffix(".job") {
            let archive = String(name.dropLast(4))
            if !archive.hasPrefix(Self.prefix) { return newEntry(name, archive, .making) }
            let progress = Int(text(archive + ".progress")) ?? 0
            return newEntry(name, archive, .restoring(progress))
        }
        if name.hasSuffix(".result") {
            let archive = String(name.dropLast(7))
            let result = text(name)
            return newEntry(name, archive, HouseholdID(result).map { .restored($0) } ?? .refused(result))
        }
        guard isArchive(name), !names.contains(name + ".job") else { return nil }
        return newEntry(name, name, .complete)
    }

    var isBusy: Bool {
        entries().contains {
            switch $0.state {
            case .making, .restoring: true
            case .complete, .restored, .refused: false
            }
        }
    }

    /// The size in bytes of an archive that is being created.
    func partialSize(of name: String) -> Int64 {
        FolderListing.facts("\(folder)/\(name)\(BackupFile.suffix)")?.size ?? 0
    }

    /// Returns the path of a complete archive of this household; nil for any other name.
    func path(ofComplete name: String) -> String? {
        guard isArchive(name), FolderListing.facts("\(folder)/\(name)") != nil else { return nil }
        return "\(folder)/\(name)"
    }

    private func isArchive(_ name: String) -> Bool { BackupName(text: name)?.household == household }

    func isUpload(_ name: String) -> Bool {
        guard name.hasPrefix(Self.prefix), name.hasSuffix(BackupName.suffix) else { return false }
        return UploadID(name.dropFirst(Self.prefix.utf8.count).dropLast(BackupName.suffix.utf8.count)) != nil
    }

    // MARK: Changing

    func makeFolder() throws {
        for path in [folder.parentFolder, folder] where mkdir(path, 0o700) != 0 && errno != EEXIST {
            throw SystemError("mkdir \(path)")
        }
    }

    /// Returns a name for a new upload.
    func newUpload() -> String { "\(Self.prefix)\(UploadID.new())\(BackupName.suffix)" }

    func newArchive(madeAt: Int64) -> String { BackupName(household: household, madeAt: madeAt).text }

    /// Stores the file of a job atomically.
    func add(_ job: ArchiveJob, for name: String) throws {
        try makeFolder()
        try write(job.json, to: "\(name).job")
    }

    /// Writes a small file atomically: under a temporary name, which is then replaced by the final name.
    func write(_ bytes: [UInt8], to name: String) throws {
        let hidden = "\(folder)/.\(name)"
        let descriptor = open(hidden, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemError("open \(hidden)") }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0,
            rename(hidden, "\(folder)/\(name)") == 0
        else { throw SystemError("write \(hidden)") }
    }

    /// Removes a job. Stores its result if the name is valid for an archive or an upload. For an upload, also deletes
    /// the uploaded file.
    func finish(_ name: String, result: String? = nil) throws {
        if let result, isArchive(name) || isUpload(name) { try write(Array(result.utf8), to: "\(name).result") }
        unlink("\(folder)/\(name).job")
        guard isUpload(name) else { return }
        unlink("\(folder)/\(name).progress")
        unlink("\(folder)/\(name)")
    }

    /// Deletes an archive, or the result of a job. Returns false for any other name.
    func remove(_ name: String) -> Bool {
        if isArchive(name), unlink("\(folder)/\(name)") == 0 { return true }
        return (isArchive(name) || isUpload(name)) && unlink("\(folder)/\(name).result") == 0
    }

    /// Deletes the folder with all archives, uploads and jobs. A running job then fails.
    ///
    /// - Throws: `SystemError` if the folder cannot be deleted.
    func removeFolder() throws {
        for name in (try? FolderListing.names(folder, includesHidden: true)) ?? [] { unlink("\(folder)/\(name)") }
        guard rmdir(folder) == 0 || errno == ENOENT else { throw SystemError("rmdir \(folder)") }
    }

    /// Deletes the oldest archives if there are more than `maximumArchives`.
    func prune() {
        let complete = entries().filter { $0.state == .complete }.map(\.name).sorted(by: >)
        for name in complete.dropFirst(Self.maximumArchives) { unlink("\(folder)/\(name)") }
    }

    /// Deletes partial files of interrupted uploads and of servers that were killed, and old uploads without a job.
    /// Keeps files that are being written, which are locked.
    func removePartialFiles(now: Int64 = Int64(time(nil))) {
        let names = (try? FolderListing.names(folder)) ?? []
        for name in names where name.hasSuffix(BackupFile.suffix) {
            _ = BackupFile.removePartialFile("\(folder)/\(name)")
        }
        for name in names where isUpload(name) && !names.contains(name + ".job") {
            // A running upload stores its job within seconds, so only older files are deleted.
            guard let facts = FolderListing.facts("\(folder)/\(name)"), facts.changedAt < now - Self.unusedUploadSeconds
            else { continue }
            unlink("\(folder)/\(name).progress")
            unlink("\(folder)/\(name)")
        }
    }

    private func text(_ name: String) -> String {
        FileContent.read("\(folder)/\(name)", limit: 1000).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The names of archives to be created or restored: first those to be created; each kind the oldest first.
    func jobs() -> [String] {
        ((try? FolderListing.names(folder)) ?? []).filter { $0.hasSuffix(".job") }.map { String($0.dropLast(4)) }
    }

    /// Whether to retry a job that failed because a statement took too long or because its file was not read. Retries
    /// end an hour after the request, because every attempt may fail.
    func mayRetry(_ name: String, now: Int64 = Int64(time(nil))) -> Bool {
        FolderListing.facts("\(folder)/\(name).job").map { $0.changedAt > now - Self.retrySeconds } ?? false
    }

    func job(_ name: String) -> ArchiveJob? {
        FileContent.read("\(folder)/\(name).job", limit: Self.maximumJobBytes).flatMap { ArchiveJob(json: $0) }
    }

    /// Whether the file of a job is damaged. A file that cannot be read, for example on a network disk, counts as
    /// damaged an hour after the request, because the household can have only one job at a time.
    func isDamaged(
        _ name: String, now: Int64 = Int64(time(nil)),
        read: (_ path: String, _ limit: Int) -> [UInt8]? = FileContent.read
    ) -> Bool {
        let path = "\(folder)/\(name).job"
        guard let size = FolderListing.facts(path)?.size else { return false }
        guard size <= Int64(Self.maximumJobBytes) else { return true }
        guard let content = read(path, Self.maximumJobBytes) else { return !mayRetry(name, now: now) }
        return ArchiveJob(json: content) == nil
    }
}
