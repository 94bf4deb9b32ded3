import Archive
import Domain
import EventLoop
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The archive pages: for owners only, with the archives of their own household only, and protected by the password.
@Suite(.timeLimit(.minutes(5))) struct ArchivePagesTests {
    private func send(
        _ bytes: [UInt8], _ browser: Browser, passphrase: String = ArchiveFolderScene.passphrase,
        password: String = ArchiveFolderScene.password
    ) async throws -> Answer {
        try await browser.upload(
            "/settings/archives/restoration", field: "file", fileName: "archive.tar", type: "application/x-tar", bytes,
            fields: ["password": password, "passphrase": passphrase])
    }

    @Test(.database) func `an owner makes an archive, downloads it with the password, and restores it`() async throws {
        try await ArchiveFolderScene.run { scene in
            let anna = try await scene.harness.signUp()
            try await anna.importTable([("Milch", "1,49", "2026-11-02"), ("Brot", "3,20", "2026-11-03")])
            let name = try await scene.make(anna)
            let page = try await anna.get("/settings/archives")
            #expect(page.text.contains("MiB"))
            #expect(!page.text.contains("<progress"))
            let wrong = try await anna.post(
                "/settings/archives/download", ["archive": name, "password": "falsch geraten"])
            #expect(wrong.status == .unprocessableContent)
            let archive = try await anna.post(
                "/settings/archives/download", ["archive": name, "password": ArchiveFolderScene.password])
            #expect(archive.status == .ok)
            #expect(archive.headers["Content-Disposition"] == "attachment; filename=\"\(name)\"")
            let path = "\(scene.folder)/households/\(anna.household)/\(name)"
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))

            let arrived = try await send(bytes, anna)
            #expect(arrived.location == "/settings/archives", "\(arrived.text)")
            try await scene.runJobs()
            let pageAfter = try await anna.get("/settings/archives")
            #expect(pageAfter.text.contains("Als neuer Haushalt wiederhergestellt"))
            let copy = try #require(pageAfter.attribute("value", after: "name=\"household\""))
            #expect(copy != anna.household.description)
            #expect(try await anna.post("/settings/households", ["household": copy]).location == "/")
            let receipts = try await anna.get("/receipts").text
            #expect(receipts.contains("SPAR"))
            let export = try await anna.get("/export.csv").text
            #expect(export.contains("Milch") && export.contains("Brot"))
            // The person switches back to the original household.
            let home = anna.household.description
            #expect(try await anna.post("/settings/households", ["household": home]).location == "/")
        }
    }

    @Test(.database) func `repeating a job has no further effect`() async throws {
        try await ArchiveFolderScene.run { scene in
            let anna = try await scene.harness.signUp()
            let name = try await scene.make(anna)
            let folder = "\(scene.folder)/households/\(anna.household)"
            _ = try await send(Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))), anna)
            let archives = HouseholdArchives(root: scene.folder, anna.household)
            let upload = try #require(archives.jobs().first)
            let job = try #require(archives.job(upload))
            let file = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(upload)"))
            try await scene.runJobs()
            // As if the server had been killed after the transaction and before it deleted the job's file.
            try file.write(to: URL(fileURLWithPath: "\(folder)/\(upload)"))
            try archives.add(job, for: upload)
            try await scene.runJobs()
            let owner = try scene.harness.owner()
            #expect(try owner.query("SELECT count(*) FROM household").first(Int64.self) == 2)
            #expect(archives.jobs().isEmpty)
        }
    }

    @Test(.database) func `a refused archive is explained and changes nothing`() async throws {
        try await ArchiveFolderScene.run { scene in
            let anna = try await scene.harness.signUp()
            let name = try await scene.make(anna)
            let path = "\(scene.folder)/households/\(anna.household)/\(name)"
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            var flipped = bytes
            flipped[bytes.count / 2] ^= 1
            let cases: [([UInt8], String, String)] = [
                (flipped, ArchiveFolderScene.passphrase, "Es wurde nichts geändert"),
                (Array(bytes.dropLast(512)), ArchiveFolderScene.passphrase, "unvollständig"),
                (bytes, "ein anderes Kennwort", "Das Kennwort passt nicht"),
            ]
            for (file, passphrase, sentence) in cases {
                #expect(try await send(file, anna, passphrase: passphrase).status == .seeOther)
                try await scene.runJobs()
                #expect(try await anna.get("/settings/archives").text.contains(sentence), "\(sentence)")
            }
            let foreign = try await send(Array("PGDMP".utf8), anna)
            #expect(foreign.status == .unprocessableContent)
            #expect(foreign.text.contains("kein AllesTeurer-Archiv"))
            #expect(try await send(bytes, anna, password: "falsch geraten").status == .unprocessableContent)
            #expect(try scene.harness.owner().query("SELECT count(*) FROM household").first(Int64.self) == 1)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: path.parentFolder).filter { $0.hasSuffix(".tar") }
                    == [name])
        }
    }

    @Test(.database) func `a restore is refused if its author is no longer an owner`() async throws {
        try await ArchiveFolderScene.run { scene in
            let anna = try await scene.harness.signUp()
            let paul = try await scene.harness.join(anna, as: .owner)
            let name = try await scene.make(anna)
            let path = "\(scene.folder)/households/\(anna.household)/\(name)"
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            #expect(try await send(bytes, paul).location == "/settings/archives")
            #expect(try await anna.post("/settings/members/\(paul.person)/removal").status == .seeOther)
            try await scene.runJobs()
            let households = try scene.harness.owner().query("SELECT household_id FROM membership")
                .decode(HouseholdID.self)
            #expect(households == [anna.household])
            let states = HouseholdArchives(root: scene.folder, anna.household).entries().map(\.state)
            #expect(states.contains(.refused("failed")))
        }
    }

    @Test(.database) func `a restore is undone if its author leaves the household while the restore runs`() async throws
    {
        try await ArchiveFolderScene.run { scene in
            let anna = try await scene.harness.signUp()
            let paul = try await scene.harness.join(anna, as: .owner)
            let name = try await scene.make(anna)
            let path = "\(scene.folder)/households/\(anna.household)/\(name)"
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            #expect(try await send(bytes, paul).location == "/settings/archives")
            let (household, person) = (anna.household, paul.person)
            let removing = try scene.harness.owner()
            try removing.query("BEGIN")
            try removing.query(
                "DELETE FROM membership WHERE household_id = \(household) AND person_id = \(person)")
            async let jobs: Void = scene.runJobs()
            let owner = try scene.harness.owner()
            try await owner.waitForBlockedStatement()
            try removing.query("COMMIT")
            try await jobs
            let households = try owner.query("SELECT household_id FROM membership").decode(HouseholdID.self)
            #expect(households == [household])
            #expect(try owner.query("SELECT count(*) FROM household").first(Int64.self) == 1)
        }
    }

    @Test(.database) func `archives of another household are not found`() async throws {
        try await ArchiveFolderScene.run { scene in
            let anna = try await scene.harness.signUp()
            let name = try await scene.make(anna)
            let otto = try await scene.harness.signUp("Otto Maier", household: "Andere")
            for path in [name, "../\(anna.household)/\(name)", "../../households/\(anna.household)/\(name)", "..", ""] {
                let download = try await otto.post(
                    "/settings/archives/download", ["archive": path, "password": ArchiveFolderScene.password])
                #expect(download.status == .notFound, "\(path)")
                #expect(try await otto.post("/settings/archives/removal", ["archive": path]).status == .notFound)
            }
            let paul = try await scene.harness.join(anna, as: .member)
            #expect(try await paul.get("/settings/archives").status == .forbidden)
            #expect(
                try await paul.post("/settings/archives", ["passphrase": ArchiveFolderScene.passphrase]).status
                    == .forbidden)
            #expect(
                try await otto.post("/settings/households", ["household": anna.household.description]).status
                    == .notFound)
            #expect(scene.names(anna) == [name])
        }
    }

    @Test(.database) func `a short passphrase and a second job at the same time are refused`() async throws {
        try await ArchiveFolderScene.run { scene in
            let anna = try await scene.harness.signUp()
            let short = try await anna.post("/settings/archives", ["passphrase": "elfZeichen!"])
            #expect(short.status == .unprocessableContent)
            _ = try await anna.post("/settings/archives", ["passphrase": ArchiveFolderScene.passphrase])
            let secondAnswer = try await anna.post("/settings/archives", ["passphrase": ArchiveFolderScene.passphrase])
            #expect(secondAnswer.status == .unprocessableContent)
            #expect(secondAnswer.text.contains("Gerade wird ein Archiv"))
        }
    }

    @Test(.database)
    func `the server does not report a full disk of the database if an archive has no room in its folder`()
        async throws
    {
        // A folder in memory, where a file of 60 GiB has no room.
        let folder = "/dev/shm/archives-\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await AppHarness.run(folder: folder) { harness in
            let anna = try await harness.signUp()
            let token = try #require(try await anna.get("/settings/archives").token)
            let parts = [
                "\"csrf\"\r\n\r\n\(token)", "\"password\"\r\n\r\n\(ArchiveFolderScene.password)",
                "\"passphrase\"\r\n\r\n\(ArchiveFolderScene.passphrase)", "\"file\"; filename=\"archive.tar\"\r\n\r\nx",
            ]
            let form = parts.map { "--b\r\nContent-Disposition: form-data; name=\($0)\r\n" }.joined() + "--b--\r\n"
            let answer = try await anna.send(
                .post, "/settings/archives/restoration", type: "multipart/form-data; boundary=b",
                body: RequestBody(declaredLength: 60 << 30, source: LongBody(Array(form.utf8))), fields: [:])
            #expect(answer.status == .insufficientStorage)
            // A full disk of the database would pause the reading of receipts.
            #expect(!harness.database.diskSpace.isFull)
            #expect(try await anna.get("/readyz").status == .ok)
        }
    }
}

/// The start of a body whose declared length is greater.
private struct LongBody: BodySource {
    private let start: RequestBody

    init(_ start: [UInt8]) { self.start = RequestBody(start) }

    func next() async throws(BodyError) -> [UInt8]? { try await start.next() }
    func setPace(_ pace: BodyPace) {}
}
