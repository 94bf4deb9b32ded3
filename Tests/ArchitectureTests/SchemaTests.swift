import Testing

/// Rules that keep the schema ready for more than one machine (docs/decisions/0004).
@Suite struct SchemaTests {
    @Test func `migrations are numbered without a gap`() {
        let names = Project.files(in: "Migrations", ending: ".sql").compactMap { $0.split(separator: "/").last }
        #expect(names.compactMap { Int($0.prefix(4)) } == Array(1...max(1, names.count)))
    }

    @Test(arguments: ["CREATE TRIGGER", "CREATE RULE", "ON DELETE SET NULL", "BYPASSRLS", "SECURITY DEFINER"])
    func `no migration says`(words: String) throws {
        let offenders = try Project.files(in: "Migrations", ending: ".sql").filter { path in
            try Project.text(path).split(separator: "\n")
                .contains { !$0.hasPrefix("--") && $0.uppercased().contains(words) }
        }
        #expect(offenders == [])
    }
}
