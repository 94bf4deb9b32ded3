/// The allowed imports of each target, from the table "Targets" in ARCHITECTURE.md.
struct AllowedImports {
    let byTarget: [String: Set<String>]

    static func documented() throws -> AllowedImports {
        var allowed: [String: Set<String>] = [:]
        for line in try Project.text("ARCHITECTURE.md").split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map(codeWords)
            guard cells.count == 3, let target = cells[0].first, !target.contains("/") else { continue }
            allowed[target] = Set(cells[2])
        }
        return AllowedImports(byTarget: allowed)
    }

    /// Returns one line for each import of a target that the table does not allow.
    func violations(_ file: SourceFile) -> [String] {
        let forbidden = file.imports.intersection(byTarget.keys).subtracting(byTarget[file.target] ?? [])
        return forbidden.sorted().map { "\(file.path) imports \($0)" }
    }

    /// Returns all targets that `target` may import, directly or indirectly. The result contains `target` only in a
    /// cycle.
    func reachable(from target: String) -> Set<String> {
        var reached: Set<String> = []
        var open = Array(byTarget[target] ?? [])
        while let next = open.popLast() {
            if reached.insert(next).inserted { open += byTarget[next] ?? [] }
        }
        return reached
    }

    /// Returns the words between backticks.
    private static func codeWords(_ cell: Substring) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
