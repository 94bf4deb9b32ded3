import Archive
import Crypto
import Domain
import EventLoop
import Glibc
import HTTP
import Postgres
import Templates

/// The archives of the household, which its owners create, download, delete and restore.
struct ArchiveController: Sendable {
    private let root: String?
    private let database: Database
    private let signIn: SignIn
    /// Runs disk work and key derivation.
    private let disk: SlowWork
    private let page: View<ArchivesPage>

    init(_ config: Config, _ database: Database, _ signIn: SignIn, _ disk: SlowWork, _ views: Views) throws {
        root = config.backupFolder
        self.database = database
        self.signIn = signIn
        self.disk = disk
        page = try views.page("settings/archives", ArchivesPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/settings/archives", "ArchiveController.show", role: .owner) { request in
            try await response(request)
        }
        try routes.member(.post, "/settings/archives", "ArchiveController.make", role: .owner, make)
        try routes.member(.post, "/settings/archives/download", "ArchiveController.download", role: .owner, download)
        try routes.member(.post, "/settings/archives/removal", "ArchiveController.remove", role: .owner, remove)
        try routes.member(
            .post, "/settings/archives/restoration", "ArchiveController.restore", role: .owner, body: .stream, restore)
    }

    private func archives(_ request: MemberRequest) throws -> HouseholdArchives {
        guard let root else { throw Refusal.notFound }
        return HouseholdArchives(root: root, request.household)
    }

    // MARK: Creating

    private func make(_ request: MemberRequest) async throws -> Response {
        let archives = try archives(request)
        guard let passphrase = Self.passphrase(request.form["passphrase"]) else {
            return try await response(request, error: ("passphrase", "server.archive.passphrase-short"))
        }
        guard !archives.isBusy else { return try await response(request, error: ("busy", "server.archive.busy")) }
        let person = request.member.person
        let name = archives.newArchive(madeAt: Int64(time(nil)))
        try await disk.run {
            let salt = Random.bytes(16)
            let key = try ArchiveKey(passphrase: passphrase, salt: salt)
            try archives.add(ArchiveJob(kind: .make, person: person, key: key, salt: salt), for: name)
        }
        return .redirect(to: "/settings/archives").flashing(Flash("archive-begun"))
    }

    private static func passphrase(_ text: String?) -> Password? {
        guard let text, text.unicodeScalars.count >= Config.backupKeyCharacters else { return nil }
        return Password(entered: text)
    }

    // MARK: Downloading

    /// Requires the password, because the archive contains all data of the household.
    private func download(_ request: MemberRequest) async throws -> Response {
        let archives = try archives(request)
        let name = try request.form.required("archive")
        guard let path = archives.path(ofComplete: name), let file = OpenFile(path: path) else {
            throw Refusal.notFound
        }
        if let refused = try await refusedPassword(request.form["password"] ?? "", request, field: "download") {
            return refused
        }
        return Response(
            headers: [
                "Content-Type": "application/x-tar", "Content-Disposition": "attachment; filename=\"\(name)\"",
                "Cache-Control": "no-store",
            ], body: .file(FileBody(source: .descriptor(file), range: 0..<file.size)), isCompressible: false)
    }

    /// Verifies the password. Returns nil if it is correct, otherwise the page with an error message.
    private func refusedPassword(_ password: String, _ request: MemberRequest, field: String) async throws -> Response?
    {
        switch try await signIn.confirm(password, request.member.person, from: request.head.peer.network) {
        case .right: return nil
        case .wrong: return try await response(request, error: (field, "server.form.password-wrong"))
        case .blocked(let seconds): throw Refusal(.tooManyRequests, "tooMany", retryAfter: seconds)
        }
    }

    private func remove(_ request: MemberRequest) async throws -> Response {
        let archives = try archives(request)
        guard archives.remove(try request.form.required("archive")) else { throw Refusal.notFound }
        return .redirect(to: "/settings/archives").flashing(Flash("archive-removed"))
    }

    // MARK: Restoring

    /// Expects the CSRF token as the first field and the file as the last one, after password and passphrase.
    private func restore(_ request: MemberRequest) async throws -> Response {
        let archives = try archives(request)
        request.body.setPace(BodyPace(bytesPerSecond: 16 * 1024, totalSeconds: 86_400))
        let reader = try await request.multipartForm(limit: Self.maximumBytes)
        guard !archives.isBusy else { return try await response(request, error: ("busy", "server.archive.busy")) }
        var passphrase: Password?
        var isConfirmed = false
        while let part = try await reader.nextPart() {
            switch (part.name, part.fileName) {
            case ("password", nil):
                let password = try await reader.value(limit: Password.maximumBytes)
                if let refused = try await refusedPassword(password, request, field: "restore") { return refused }
                isConfirmed = true
            case ("passphrase", nil):
                passphrase = Password(entered: try await reader.value(limit: Password.maximumBytes))
            case ("file", .some(let name)) where isConfirmed && !name.isEmpty:
                guard let passphrase else {
                    return try await response(request, error: ("restore", "server.archive.refused-passphrase"))
                }
                return try await receive(reader, passphrase, archives, request)
            default: continue
            }
        }
        return try await response(request, error: ("restore", "server.form.choose-file-text"))
    }

    /// The maximum size of an upload in bytes. Larger archives can be restored with `allesteurer restore`.
    private static let maximumBytes = 64 << 30

    private func receive(
        _ reader: MultipartReader, _ passphrase: Password, _ archives: HouseholdArchives, _ request: MemberRequest
    ) async throws -> Response {
        try archives.makeFolder()
        let name = archives.newUpload()
        let path = "\(archives.folder)/\(name)"
        let upload = ArchiveUpload(path: path, disk: disk)
        try upload.requireSpace(for: Int64(request.body.declaredLength ?? 0))
        try await upload.write { try await reader.nextChunk() }
        let person = request.member.person
        let refused: String? = try await disk.run {
            do {
                var salt: [UInt8] = []
                // Read only the head here; the job reads the whole file.
                _ = try ArchiveReader(try ArchiveFile(path)) { head in
                    salt = head.salt
                    return try ArchiveKey(passphrase: passphrase, salt: salt)
                }
                let key = try ArchiveKey(passphrase: passphrase, salt: salt)
                try archives.add(ArchiveJob(kind: .restore, person: person, key: key), for: name)
                return nil
            } catch let error as ArchiveError {
                unlink(path)
                return ArchiveJobRun.reason(error)
            }
        }
        if let refused {
            return try await response(request, error: ("restore", "server.archive.refused-\(refused)"))
        }
        return .redirect(to: "/settings/archives").flashing(Flash("archive-arrived"))
    }

    // MARK: The page

    private func response(_ request: MemberRequest, error: (field: String, key: String)? = nil) async throws -> Response
    {
        let words = page.words(request)
        var errors = FieldErrors()
        if let error { errors[error.field] = words[error.key] }
        var entries: [HouseholdArchives.Entry] = []
        var estimate: Int64 = 1
        let archives = root.map { HouseholdArchives(root: $0, request.household) }
        if let archives {
            entries = archives.entries()
            // Estimate the size from the pictures, because documents are small compared to them.
            let bytes = try await database.read(
                request.household,
                "SELECT coalesce(sum(size), 0)::bigint FROM blob WHERE household_id = \(request.household)"
            ).first(Int64.self)
            estimate = (bytes ?? 0) + (2 << 20)
        }
        let households = try await households(request)
        let model = ArchivesPage(
            hasFolder: root != nil,
            archives: entries.filter { $0.state == .complete }.map { ArchivesPage.Archive($0, request.language) },
            progress: entries.compactMap { entry in
                switch entry.state {
                case .making:
                    let done = Int(min(99, (archives?.partialSize(of: entry.name) ?? 0) * 100 / estimate))
                    return ArchivesPage.Progress(title: words["server.archive.making"], percent: done)
                case .restoring(let permille):
                    return ArchivesPage.Progress(title: words["server.archive.restoring"], percent: permille / 10)
                case .complete, .restored, .refused: return nil
                }
            },
            results: entries.compactMap { entry in
                let time = DisplayDate.dayAndTime(
                    PostgresInstant(microsecondsSince1970: entry.changedAt * 1_000_000), request.language)
                switch entry.state {
                case .restored(let household):
                    return ArchivesPage.Outcome(
                        name: entry.name, time: time, text: words["server.archive.restored"],
                        household: households.contains { $0.id == household } ? household.description : nil)
                case .refused(let reason):
                    return ArchivesPage.Outcome(
                        name: entry.name, time: time, text: words["server.archive.refused-\(reason)"], household: nil)
                case .complete, .making, .restoring: return nil
                }
            }, households: households, errors: errors)
        return page.response(model, for: request, status: error == nil ? .ok : .unprocessableContent)
    }

    private func households(_ request: MemberRequest) async throws -> [ArchivesPage.HouseholdChoice] {
        let ids = try await database.read(
            "SELECT household_id FROM membership WHERE person_id = \(request.member.person) ORDER BY joined_at"
        ).decode(HouseholdID.self)
        var households: [ArchivesPage.HouseholdChoice] = []
        for id in ids {
            // Query the households one by one, because row-level security shows one household at a time.
            let name = try await database.read(id, "SELECT name FROM household WHERE id = \(id)").first(String.self)
            households.append(.init(id: id, name: name ?? "", isCurrent: id == request.household))
        }
        return households
    }
}
