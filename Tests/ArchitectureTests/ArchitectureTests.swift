import Testing

/// The arrows of ARCHITECTURE.md, held against the imports of every source file.
@Suite struct ArchitectureTests {
    @Test func `every source target stands in the table of ARCHITECTURE.md, and only those`() throws {
        let arrows = try Arrows.documented()
        #expect(Set(arrows.allowed.keys) == Set(try Project.sourceTargets()))
    }

    @Test func `no source file imports against the arrows`() throws {
        let arrows = try Arrows.documented()
        let files = try SourceFile.all(in: "Sources")
        #expect(files.count > 20)
        #expect(files.flatMap(arrows.violations) == [])
    }

    @Test func `the arrows have no circle`() throws {
        let arrows = try Arrows.documented()
        for target in arrows.allowed.keys {
            #expect(!arrows.reachable(from: target).contains(target), "\(target) reaches itself")
        }
    }

    @Test func `the server reaches no library that decodes pictures`() throws {
        let reached = try Arrows.documented().reachable(from: "allesteurer")
        #expect(reached.isDisjoint(with: ["OCRCore", "CTesseract", "CImage", "CBarcode"]))
        #expect(reached.contains("Postgres"))
    }

    @Test func `rules and recognised pages know no operating system`() throws {
        let systemFree = try SourceFile.all(in: "Sources").filter {
            ["Domain", "Recognition", "DocumentParsing"].contains($0.target)
        }
        let offenders = systemFree.filter { !$0.imports.isDisjoint(with: ["Foundation", "Glibc", "Dispatch"]) }
        #expect(offenders.map(\.path) == [])
    }

    @Test(arguments: [
        ("import Postgres", ["Sources/Domain/Money.swift imports Postgres"]),
        ("@preconcurrency import Glibc\npackage import HTTPServer", ["Sources/Domain/Money.swift imports HTTPServer"]),
        ("import struct App.Config", ["Sources/Domain/Money.swift imports App"]),
        ("import FoundationEssentials\n// import App\nlet text = \"import App\"", []),
    ])
    func `an arrow that turned round is found`(text: String, violations: [String]) throws {
        let file = SourceFile(path: "Sources/Domain/Money.swift", text: text)
        #expect(try Arrows.documented().violations(file) == violations)
    }
}
