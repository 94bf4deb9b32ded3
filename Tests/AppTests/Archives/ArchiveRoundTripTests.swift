import Archive
import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct ArchiveRoundTripTests {
    @Test(.database) func `every table is either archived or listed with the reason why it is not`() throws {
        let owner = try TestDatabase.current.owner()
        let tables = Set(
            try owner.query(
                "SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
            ).decode(String.self))
        let archived = Set(ArchivedTable.all.map(\.name))
        #expect(archived.isDisjoint(with: ArchivedTable.notArchived.keys))
        #expect(archived.union(ArchivedTable.notArchived.keys) == tables)
        let columns = try owner.query(
            "SELECT attname::text FROM pg_attribute WHERE attrelid = 'person'::regclass AND attnum > 0 AND NOT attisdropped"
        ).decode(String.self)
        #expect(Set(columns) == Set(ArchivedPeople.columns + ["password_hash"]))
    }

    @Test(.database) func `a table is archived after the tables to which it refers`() throws {
        let owner = try TestDatabase.current.owner()
        let references = try owner.query(
            """
            SELECT c.conrelid::regclass::text, c.confrelid::regclass::text FROM pg_constraint c
            WHERE c.contype = 'f' AND NOT c.condeferrable
            """
        ).decode((String, String).self)
        let order = ArchivedTable.all.map(\.name)
        for (table, target) in references {
            guard let place = order.firstIndex(of: table), let earlier = order.firstIndex(of: target) else { continue }
            if table == target {
                #expect(ArchivedTable.all[place].reference != nil, "\(table) refers to itself")
            } else {
                #expect(earlier < place, "\(table) refers to \(target)")
            }
        }
    }

    @Test(.database) func `an installation that is restored and archived again has the same bytes`() async throws {
        try await ArchivedScene.run { scene in
            // A second household, which must not be mixed with the first one.
            let other = try await scene.harness.signUp("Otto Maier", household: "Andere")
            try await other.importTable([("Tee", "2,49", "2026-11-01", "HOFER")])
            let archive = try await scene.backUp(.installation)
            let content = try ArchivedScene.documents(archive)
            // Tables to which the scene adds no rows.
            let empty: Set = [
                "expense", "expense_share", "expense_line", "exchange_rate", "settlement", "balance_month", "budget",
                "budget_limit", "category_share",
                "lost_value", "bank_import", "bank_booking", "bank_pair", "bank_columns",
                "wine", "wine_score", "wine_catalogue", "wine_alias", "wine_mark", "wine_bottle",
                "wine_scan",
                "wine_sighting", "wine_counter",
                "expense_rule", "expense_rule_run", "expense_rule_change", "recurring_expense", "savings_goal",
                "savings_deposit",
            ]
            #expect(
                Set(content.lines.map(\.part)) == Set(ArchivedTable.all.map(\.name) + ["people"]).subtracting(empty))
            #expect(content.pictures.map(\.count).sorted() == [4_321, 1_049_353])
            try await ArchiveVerification(
                restoration: try scene.restoration(archive), scratch: try scene.scratch()
            ).run()
        }
    }

    @Test(.database) func `a household that is restored and archived again has the same bytes`() async throws {
        try await ArchivedScene.run { scene in
            let archive = try await scene.backUp(.household(scene.household))
            #expect(!(try ArchivedScene.documents(archive)).lines.contains { $0.line.contains("password_hash") })
            try await ArchiveVerification(
                restoration: try scene.restoration(archive), scratch: try scene.scratch()
            ).run()
        }
    }

    @Test(.database) func `the comparison of an archive with the database finds a changed row`() async throws {
        try await ArchivedScene.run { scene in
            let archive = try await scene.backUp(.installation)
            try scene.harness.owner().query("UPDATE receipt_line SET total_minor = total_minor + 1")
            let check = try scene.check(archive)
            let compared = ComparedArchive(try ArchiveFile(archive))
            await #expect(throws: ComparedArchive.Difference.self) {
                try await ArchiveExport(pool: scene.pool, scope: .installation)
                    .write(check.head, check.key, to: compared)
            }
        }
    }

    @Test(.database)
    func `a household restored next to the original has the same content under new identifiers`() async throws {
        try await ArchivedScene.run { scene in
            let archive = try await scene.backUp(.household(scene.household))
            let copy = HouseholdID.new()
            let people = try await scene.restoration(archive).restoreHousehold(scene.pool, .byLogin, as: copy)
            #expect(people.count == 2)
            #expect(people.allSatisfy { $0.kind == .known })
            let secondArchive = try await scene.backUp(.household(copy), name: "again.tar")
            let (before, after) = (try ArchivedScene.documents(archive), try ArchivedScene.documents(secondArchive))
            #expect(before.pictures == after.pictures)
            #expect(before.lines.count == after.lines.count)
            let (first, second) = (Self.normalised(before.lines), Self.normalised(after.lines))
            for (one, other) in zip(first, second) where one != other {
                Issue.record("\(one)\n\(other)")
                break
            }
            // The copy contains no identifier of the original, except identifiers of people.
            let old = Set(before.lines.filter { $0.part != "people" }.flatMap { Self.identifiers(in: $0.line) })
            let new = Set(after.lines.flatMap { Self.identifiers(in: $0.line) })
            let knownPeople = Set(people.map(\.id.description) + ["00000000-0000-0000-0000-000000000000"])
            #expect(old.intersection(new) == knownPeople.intersection(old))
            // The original household can still be used.
            #expect(try await scene.anna.get("/receipts").status == .ok)
        }
    }

    @Test(.database) func `people without an account are created without a password`() async throws {
        try await ArchivedScene.run { scene in
            let archive = try await scene.backUp(.household(scene.household))
            let owner = try scene.harness.owner()
            try owner.query("UPDATE person SET login = 'other' || login")
            let copy = HouseholdID.new()
            let people = try await scene.restoration(archive).restoreHousehold(scene.pool, .byLogin, as: copy)
            #expect(!people.isEmpty && people.allSatisfy { $0.kind == .created })
            let roles = try owner.query(
                "SELECT m.role FROM membership m JOIN person p ON p.id = m.person_id AND p.password_hash = '!' WHERE household_id = \(copy) ORDER BY 1"
            ).decode(String.self)
            #expect(roles == ["owner", "viewer"])
        }
    }

    @Test(.database) func `a household restored by another owner gets no members and links no accounts`() async throws {
        try await ArchivedScene.run { scene in
            let archive = try await scene.backUp(.household(scene.household))
            let otto = try await scene.harness.signUp("Otto Maier", household: "Andere")
            let copy = HouseholdID.new()
            let people = try await scene.restoration(archive).restoreHousehold(
                scene.pool, .household(otto.household, owner: otto.person), as: copy)
            #expect(!people.isEmpty && people.allSatisfy { $0.kind == .former })
            let members = try scene.harness.owner().query(
                "SELECT count(*) FROM membership WHERE household_id = \(copy)"
            ).first(Int64.self)
            #expect(members == 0)
        }
    }

    /// Returns the lines without the times at which members joined. Each identifier is replaced by the number of
    /// its first occurrence.
    private static func normalised(_ lines: [(part: String, line: String)]) -> [String] {
        var numbers: [Substring: Int] = [:]
        return lines.map { part, line in
            let text = line.replacing(#/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/#) { match in
                let number = numbers[match.output] ?? numbers.count
                numbers[match.output] = number
                return "#\(number)"
            }
            let withoutTimes = text.replacing(#/"joined_at": "[^"]*"/#, with: "")
            return "\(part) \(withoutTimes)"
        }
    }

    private static func identifiers(in line: String) -> [String] {
        line.matches(of: #/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/#).map { String($0.output) }
    }
}
