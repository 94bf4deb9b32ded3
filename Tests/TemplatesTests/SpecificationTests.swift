import Foundation
import JSON
import Templates
import Testing

/// The official test cases of Mustache, in `ALLESTEURER_TEST_DATA` or in `../shared`.
@Suite(.timeLimit(.minutes(5))) struct SpecificationTests {
    @Test(
        "matches the official specification",
        .enabled(if: !SpecificationCase.all.isEmpty, "no mustache-spec folder in the test data"),
        arguments: SpecificationCase.all)
    func conforms(_ example: SpecificationCase) throws {
        let template = try Template(example.template, partials: example.partials)
        #expect(String(decoding: template.render(example.data), as: UTF8.self) == example.expected)
    }

    @Test("runs all 136 required cases and the 27 of inheritance", .enabled(if: !SpecificationCase.all.isEmpty))
    func countsCases() {
        #expect(SpecificationCase.all.filter { $0.file != "~inheritance" }.count == 136)
        #expect(SpecificationCase.all.filter { $0.file == "~inheritance" }.count == 27)
    }
}

struct SpecificationCase: Sendable, CustomTestStringConvertible {
    let file: String
    let name: String
    let data: Value
    let template: String
    let partials: [String: String]
    let expected: String

    var testDescription: String { "\(file): \(name)" }

    static let all: [SpecificationCase] = {
        let folder = ProcessInfo.processInfo.environment["ALLESTEURER_TEST_DATA"] ?? "../shared"
        let files = ["comments", "delimiters", "interpolation", "inverted", "partials", "sections", "~inheritance"]
        return files.flatMap { file in
            guard let data = FileManager.default.contents(atPath: "\(folder)/mustache-spec/\(file).json"),
                let root = try? JSONValue(reading: data)
            else { return [SpecificationCase]() }
            return (root["tests"]?.array ?? []).map { test in
                let partials = test["partials"]?.object.map(Array.init) ?? []
                return SpecificationCase(
                    file: file, name: test["name"]?.string ?? "", data: Value(test["data"] ?? .null),
                    template: test["template"]?.string ?? "",
                    partials: Dictionary(uniqueKeysWithValues: partials.map { ($0.name, $0.value.string ?? "") }),
                    expected: test["expected"]?.string ?? "")
            }
        }
    }()
}

extension Value {
    init(_ json: JSONValue) {
        switch json {
        case .null: self = .nothing
        case .bool(let flag): self = .flag(flag)
        case .number(let text): self = .number(text)
        case .string(let text): self = .text(text)
        case .array(let values): self = .list(values.map(Value.init))
        case .object(let object):
            self = .object(Dictionary(uniqueKeysWithValues: object.map { ($0.name, Value($0.value)) }))
        }
    }
}
