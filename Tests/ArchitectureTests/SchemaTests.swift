import Testing

/// Rules that keep the schema ready for more than one machine (docs/decisions/0004).
@Suite(.timeLimit(.minutes(5))) struct SchemaTests {
    @Test func `migrations are numbered without a gap`() {
        let names = Project.files(in: "Migrations", ending: ".sql").compactMap { $0.split(separator: "/").last }
        #expect(names.compactMap { Int($0.prefix(4)) } == Array(1...max(1, names.count)))
    }

    @Test(arguments: ["CREATE TRIGGER", "CREATE RULE", "ON DELETE SET NULL", "BYPASSRLS"])
    func `no migration contains forbidden words`(words: String) throws {
        let offenders = try Project.files(in: "Migrations", ending: ".sql").filter { path in
            try Project.text(path).split(separator: "\n")
                .contains { !$0.hasPrefix("--") && $0.uppercased().contains(words) }
        }
        #expect(offenders == [])
    }

    @Test func `a SECURITY DEFINER function sets its search path and is not granted to PUBLIC`() throws {
        for path in Project.files(in: "Migrations", ending: ".sql") {
            let text = try Project.text(path)
            let definers = text.split(separator: "\n").filter { $0.contains("SECURITY DEFINER") }
            #expect(definers.allSatisfy { $0.contains("SET search_path = pg_catalog") }, "\(path)")
            let revocations = text.matches(of: #/REVOKE ALL ON FUNCTION .* FROM PUBLIC/#).count
            // A function that is replaced keeps its privileges, so no REVOKE is needed.
            let replaced = text.matches(of: #/CREATE OR REPLACE FUNCTION/#).count
            #expect(revocations + replaced >= definers.count, "\(path)")
        }
    }
}
