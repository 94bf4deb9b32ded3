import Domain
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Deleting a household with all its data.
@Suite(.timeLimit(.minutes(5))) struct HouseholdDeletionTests {
    private static let path = "/settings/household/deletion"

    private static func delete(_ owner: Browser, named name: String = "Haus") async throws -> Answer {
        try await owner.post(path, ["household": name, "current": SignInScene.password])
    }

    /// The tables with rows of the household.
    private static func tables(of household: HouseholdID, _ connection: SynchronousConnection) throws -> [String] {
        let tables = try connection.query(
            """
            SELECT c.relname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE a.attname = 'household_id' AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY 1
            """
        ).decode(String.self)
        var found = try tables.filter { table in
            let rows = SQL(uncheckedText: "SELECT 1 FROM \(table) WHERE household_id = ") + "\(household) LIMIT 1"
            return try !connection.query(rows).isEmpty
        }
        if try !connection.query("SELECT 1 FROM household WHERE id = \(household)").isEmpty {
            found.append("household")
        }
        return found
    }

    @Test(.database) func `an owner deletes all data of the household, and no data of another household`() async throws
    {
        try await AppHarness.run { harness in
            let connection = try harness.owner()
            let mine = try await Tenant.make(harness, mark: "Eigen")
            let theirs = try await Tenant.make(harness, mark: "Geheim")
            let ben = try await harness.join(mine.owner, as: .member)
            let key = try await harness.caller(ben)
            let login = try await SignInScene.login(ben, harness)
            #expect(try Self.tables(of: mine.household, connection).count > 30)
            let before = try theirs.checksums(connection)

            #expect(try await mine.owner.get("/settings/household").text.contains("href=\"\(Self.path)\""))
            #expect(try await mine.owner.get(Self.path).text.contains("Eigenhaus"))
            let deleted = try await Self.delete(mine.owner, named: " Eigenhaus ")
            #expect(deleted.location == "/sign-in")
            #expect(deleted.headers["Clear-Site-Data"] != nil)
            #expect(try await mine.owner.get("/sign-in").text.contains("Haushalt gelöscht."))

            #expect(try Self.tables(of: mine.household, connection) == [])
            #expect(try theirs.checksums(connection) == before)
            #expect(try await theirs.owner.get("/receipts").status == .ok)
            #expect(try await ben.get("/receipts").location?.hasPrefix("/sign-in") == true)
            #expect(try await key.get("/api/v1/members/me").status == .unauthorized)
            let refused = try await SignInScene.signIn(harness.browser(), login, SignInScene.password)
            #expect(refused.status == .unprocessableContent)
            let people = [mine.owner.person, ben.person]
            #expect(try connection.query("SELECT 1 FROM person WHERE id = ANY(\(people))").isEmpty)
        }
    }

    @Test(.database) func `only an owner can delete the household, with its name and the password`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            for role in [Member.Role.viewer, .member] {
                let other = try await harness.join(anna, as: role)
                #expect(try await Self.delete(other).status == .forbidden)
                let deletion = HouseholdDeletion(database: harness.database, archivesRoot: nil)
                let refusal = await #expect(throws: Refusal.self) {
                    try await deletion.begin(anna.household, by: other.person)
                }
                #expect(refusal?.status == .forbidden)
            }
            let otherName = try await Self.delete(anna, named: "Haus 2")
            #expect(otherName.status == .unprocessableContent && otherName.text.contains("household-error"))
            #expect(otherName.text.contains("value=\"Haus 2\""))
            let wrong = try await anna.post(Self.path, ["household": "Haus", "current": "falsch falsch 1"])
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("current-error"))
            #expect(try await anna.get("/receipts").status == .ok)
            #expect(try harness.owner().query("SELECT 1 FROM household_deletion").isEmpty)
        }
    }

    @Test(.database) func `the sweeper completes an interrupted deletion, and touches no other household`()
        async throws
    {
        try await AppHarness.run { harness in
            let connection = try harness.owner()
            let mine = try await Tenant.make(harness, mark: "Eigen")
            let other = try await harness.signUp()
            let deletion = HouseholdDeletion(database: harness.database, archivesRoot: nil)
            try await deletion.begin(mine.household, by: mine.owner.person)
            #expect(try await mine.owner.get("/receipts").location?.hasPrefix("/sign-in") == true)
            #expect(try Self.tables(of: mine.household, connection).contains("receipt"))
            try await deletion.finish(other.household)
            // A page does not wait until a large household is erased.
            try await deletion.finish(mine.household, within: .zero)
            #expect(try await HouseholdDeletion.unfinishedDeletions(harness.database) == [mine.household])
            try await Sweeper.run(harness.database)
            #expect(try Self.tables(of: mine.household, connection) == [])
            #expect(try await other.get("/receipts").status == .ok)
        }
    }

    @Test(.database) func `the archives of the household are deleted, with their jobs`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "archives-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await AppHarness.run(folder: folder) { harness in
            let (anna, karl) = (try await harness.signUp(), try await harness.signUp("Karl Fremd"))
            #expect(try await anna.get(Self.path).text.contains("href=\"/settings/archives\""))
            for browser in [anna, karl] {
                let archives = HouseholdArchives(root: folder, browser.household)
                try archives.makeFolder()
                for name in [archives.newArchive(madeAt: 1_790_000_000), ".interrupted.job"] {
                    try Data("x".utf8).write(to: URL(fileURLWithPath: "\(archives.folder)/\(name)"))
                }
            }
            #expect(try await Self.delete(anna).location == "/sign-in")
            #expect(HouseholdArchives.all(root: folder).map(\.household) == [karl.household])
            #expect(HouseholdArchives(root: folder, karl.household).entries().count == 1)
        }
    }

    @Test(.database) func `archives that could not be deleted are deleted by the sweeper`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "archives-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await AppHarness.run(folder: folder) { harness in
            let anna = try await harness.signUp()
            let archives = HouseholdArchives(root: folder, anna.household)
            let obstacle = "\(archives.folder)/folder"
            try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
            #expect(try await Self.delete(anna).location == "/sign-in")
            let unfinished = try await HouseholdDeletion.unfinishedDeletions(harness.database)
            #expect(unfinished == [anna.household])
            try FileManager.default.removeItem(atPath: obstacle)
            try await Sweeper.run(harness.database, archivesRoot: folder)
            let left = try await HouseholdDeletion.unfinishedDeletions(harness.database)
            #expect(left.isEmpty && HouseholdArchives.all(root: folder).isEmpty)
        }
    }

    @Test(.database) func `members of another household keep their account, and its former members keep their name`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let karl = try await harness.signUp("Karl Fremd", household: "Anderswo")
            let ben = try await harness.join(anna, as: .member)
            let clara = try await harness.join(anna, as: .member, name: "Clara Neu")
            let login = try await SignInScene.login(clara, harness)
            #expect(try await ben.post("/receipts/drafts").status == .seeOther)
            for browser in [ben, clara] { try harness.addMember(browser, to: karl.household, as: .member) }
            #expect(try await anna.post("/settings/members/\(ben.person)/removal").status == .seeOther)

            #expect(try await Self.delete(karl, named: "Anderswo").location == "/sign-in")
            let left = try harness.owner().query("SELECT name, login LIKE 'removed %' FROM person ORDER BY name")
                .decode((String, Bool).self)
            #expect(left.map(\.0) == ["Anna Berger", "Clara Neu", "Paul Huber"])
            #expect(left.map(\.1) == [false, false, true])
            #expect(try await clara.get("/receipts").status == .ok)
            #expect(try await SignInScene.signIn(harness.browser(), login, SignInScene.password).location == "/")
        }
    }

    @Test(.database) func `only present and former members of the household are deleted with it`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (ben, clara) = (
                try await harness.join(anna, as: .member), try await harness.join(anna, as: .viewer, name: "Clara Neu")
            )
            #expect(try await anna.post("/settings/members/\(clara.person)/removal").status == .seeOther)
            // A person of another household. The deletion of that household was interrupted.
            let stranger = PersonID.new()
            // A person who left before preferences were documents. Only a receipt refers to this person.
            let former = PersonID.new()
            try harness.owner().query(
                """
                INSERT INTO person (id, login, name, password_hash) VALUES
                    (\(stranger), 'removed fremd', 'Karl Fremd', '!'), (\(former), 'removed alt', 'Otto Alt', '!')
                """)
            _ = try harness.scene(anna).receipt([("BROT", 200)], pages: 0, person: former)
            #expect(try await Self.delete(anna).location == "/sign-in")
            let left = try harness.owner().query("SELECT id FROM person").decode(PersonID.self)
            #expect(left == [stranger], "\(anna.person) \(ben.person) \(clara.person)")
        }
    }

    @Test(.database) func `a second click on deleting says that the household is deleted`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let karl = try await harness.signUp("Karl Fremd", household: "Anderswo")
            let page = try await anna.get(Self.path)
            let membership = try #require(page.attribute("value", after: "name=\"membership\""))
            func delete(_ membership: String) async throws -> Answer {
                try await anna.post(
                    Self.path, ["household": "Haus", "membership": membership, "current": SignInScene.password],
                    on: page)
            }
            let cookies = anna.cookies
            for _ in 0..<2 {
                anna.cookies = cookies
                #expect(try await delete(membership).location == "/sign-in")
                #expect(try await anna.get("/sign-in").text.contains("Haushalt gelöscht."))
            }
            // The other household still exists, so the form is refused because the session has ended.
            anna.cookies = cookies
            #expect(try await delete("\(karl.household) \(anna.person)").status == .unauthorized)
        }
    }

    @Test(.database) func `the command lists households, and deletes the household with the given name`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let karl = try await harness.signUp("Karl Fremd", household: "Anderswo")
            _ = try await harness.join(anna, as: .viewer)
            #expect(
                try await DeleteHouseholdCommand.list(harness.database) == [
                    "\(anna.household)  2 members  Haus", "\(karl.household)  1 member  Anderswo",
                ])
            func delete(_ household: HouseholdID, _ name: String) async throws -> Bool {
                try await DeleteHouseholdCommand.delete(household, name: name, harness.database, archivesRoot: nil)
            }
            #expect(try await !delete(anna.household, "Anderswo"))
            #expect(try await !delete(.new(), "Haus"))
            #expect(try await delete(anna.household, "Haus"))
            #expect(try await DeleteHouseholdCommand.list(harness.database).count == 1)
            #expect(try await anna.get("/receipts").location?.hasPrefix("/sign-in") == true)
        }
    }
}
