/// The declarations that other targets see and that no comment explains.
///
/// Two kinds need none: what a protocol asks for, because the protocol says what it is, and an initialiser that
/// only sets stored properties from parameters of their names, because the properties say it.
struct UndocumentedDeclarations {
    /// The members that a protocol asks for: those of the standard library that sources here witness, and our own.
    private var requirements: [String: Set<String>] = [
        "CustomStringConvertible": ["description"], "CustomDebugStringConvertible": ["debugDescription"],
        "CustomReflectable": ["customMirror"], "Identifiable": ["id"], "CaseIterable": ["allCases"],
        "Equatable": ["=="], "Hashable": ["==", "hash(into:)"], "Comparable": ["<", "=="],
        "RawRepresentable": ["rawValue", "init(rawValue:)"], "OptionSet": ["rawValue", "init(rawValue:)"],
        "Encodable": ["encode(to:)"], "Decodable": ["init(from:)"], "Codable": ["encode(to:)", "init(from:)"],
        "Sequence": ["makeIterator()"], "IteratorProtocol": ["next()"], "RandomNumberGenerator": ["next()"],
        "RandomAccessCollection": ["startIndex", "endIndex", "subscript"],
        "ExpressibleByStringLiteral": ["init(stringLiteral:)"],
        "ExpressibleByIntegerLiteral": ["init(integerLiteral:)"],
        "ExpressibleByBooleanLiteral": ["init(booleanLiteral:)"],
        "ExpressibleByNilLiteral": ["init(nilLiteral:)"],
        "ExpressibleByArrayLiteral": ["init(arrayLiteral:)"],
        "ExpressibleByDictionaryLiteral": ["init(dictionaryLiteral:)"],
        "ExpressibleByStringInterpolation": ["init(stringLiteral:)", "init(stringInterpolation:)"],
        "StringInterpolationProtocol": ["init(literalCapacity:interpolationCount:)", "appendLiteral(_:)"],
        "TaskExecutor": ["enqueue(_:)"], "SerialExecutor": ["enqueue(_:)"],
    ]
    private var inherited: [String: Set<String>] = [:]

    /// - Parameter files: where protocols are looked for.
    init(protocolsOf files: [SourceFile]) {
        for file in files {
            for (declaration, type) in file.declarations {
                if declaration.keyword == "protocol" {
                    inherited[declaration.name, default: []].formUnion(declaration.inherited)
                } else if let type, type.keyword == "protocol" {
                    requirements[type.name, default: []].insert(declaration.name)
                }
            }
        }
    }

    /// As `path:line name`, in the order of the file.
    func found(in file: SourceFile) -> [String] {
        let declarations = file.declarations
        let stored = Dictionary(grouping: declarations.filter { ["let", "var"].contains($0.0.keyword) }) { $0.1?.name }
            .mapValues { Set($0.map(\.0.name)) }
        let conformances = Dictionary(grouping: declarations.filter(\.0.isType), by: \.0.name)
            .mapValues { $0.flatMap(\.0.inherited) }
        return declarations.filter { declaration, type in
            // What a protocol asks for is as visible as the protocol.
            guard declaration.isShared || type?.keyword == "protocol" && type?.isShared == true else { return false }
            if declaration.hasComment || declaration.keyword == "extension" { return false }
            guard let type else { return true }
            let asked = (conformances[type.name] ?? []).flatMap { members(of: $0) }
            if type.keyword != "protocol", asked.contains(declaration.name) { return false }
            return !isMemberwise(declaration, stored: stored[type.name] ?? [], in: file)
        }.map { "\(file.path):\($0.0.line) \($0.0.name)" }
    }

    private func members(of name: String) -> Set<String> {
        (inherited[name] ?? []).reduce(requirements[name] ?? []) { $0.union(members(of: $1)) }
    }

    private func isMemberwise(_ declaration: Declaration, stored: Set<String>, in file: SourceFile) -> Bool {
        guard declaration.keyword == "init", !declaration.rest.hasPrefix("?"), !declaration.rest.contains(") throws"),
            stored.isSuperset(of: declaration.parameters)
        else { return false }
        return file.statements(of: declaration).allSatisfy { statement in
            let sides = statement.replacing("self.", with: "").split(separator: " = ")
            return sides.count == 2 && sides[0] == sides[1]
        }
    }
}
