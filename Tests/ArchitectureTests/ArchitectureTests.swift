import Testing

/// Compares the table of targets in ARCHITECTURE.md with the imports of every source file.
@Suite(.timeLimit(.minutes(5))) struct ArchitectureTests {
    @Test func `the table of ARCHITECTURE.md lists exactly the source targets`() throws {
        let imports = try AllowedImports.documented()
        #expect(Set(imports.byTarget.keys) == Set(try Project.sourceTargets()))
    }

    @Test func `every import is allowed by the table`() throws {
        let imports = try AllowedImports.documented()
        let files = try SourceFile.all(in: "Sources")
        #expect(files.count > 20)
        #expect(files.flatMap(imports.violations) == [])
    }

    @Test func `the allowed imports have no cycle`() throws {
        let imports = try AllowedImports.documented()
        for target in imports.byTarget.keys {
            #expect(!imports.reachable(from: target).contains(target), "\(target) depends on itself")
        }
    }

    /// The reader decodes pictures in a confined process.
    @Test func `the server depends on no library that decodes pictures`() throws {
        let reached = try AllowedImports.documented().reachable(from: "allesteurer")
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
    func `finds forbidden imports in import declarations only`(text: String, violations: [String]) throws {
        let file = SourceFile(path: "Sources/Domain/Money.swift", text: text)
        #expect(try AllowedImports.documented().violations(file) == violations)
    }
}
