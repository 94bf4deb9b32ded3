import Testing

/// Compares the table of targets in ARCHITECTURE.md with the imports of every source file.
@Suite(.timeLimit(.minutes(5))) struct ArchitectureTests {
    @Test func `the table of ARCHITECTURE.md lists exactly the source targets`() throws {
        let arrows = try Arrows.documented()
        #expect(Set(arrows.allowed.keys) == Set(try Project.sourceTargets()))
    }

    @Test func `every import is allowed by the table`() throws {
        let arrows = try Arrows.documented()
        let files = try SourceFile.all(in: "Sources")
        #expect(files.count > 20)
        #expect(files.flatMap(arrows.violations) == [])
    }

    @Test func `the allowed imports have no cycle`() throws {
        let arrows = try Arrows.documented()
        for target in arrows.allowed.keys {
            #expect(!arrows.reachable(from: target).contains(target), "\(target) depends on itself")
        }
    }

    @Test func `the server depends on no library that decodes pictures`() throws {
        let reached = try Arrows.documented().reachable(from: "allesteurer")
        #expect(reached.isDisjoint(with: ["OCRCore", "CTesseract", "CImage", "CBarcode", "COnnxRuntime"]))
        #expect(reached.contains("Postgres"))
    }

    @Test func `Domain, Recognition, DocumentParsing and Wines import no operating system module`() throws {
        let systemFree = try SourceFile.all(in: "Sources").filter {
            ["Domain", "Recognition", "DocumentParsing", "Wines"].contains($0.target)
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
    func `a forbidden import is found`(text: String, violations: [String]) throws {
        let file = SourceFile(path: "Sources/Domain/Money.swift", text: text)
        #expect(try Arrows.documented().violations(file) == violations)
    }
}
