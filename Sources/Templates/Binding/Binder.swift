/// Binds an expanded page to its models: resolves every name in every branch to a declared field, and collects errors.
struct Binder {
    private(set) var errors = TemplateError()
    /// `Model.key` of every field used in a branch.
    private(set) var used: Set<String> = []
    /// Every model type that the page can reach through its sections.
    private(set) var tables: [ObjectIdentifier: FieldTable] = [:]

    /// A recursive partial, called with these models on the stack. It is bound once for each different stack.
    private struct PartialCall: Hashable {
        let partial: Int
        let stack: [ObjectIdentifier]
    }

    private let page: String
    private let expansion: Expansion
    private var program = Program()
    private var slots: [ObjectIdentifier: Int] = [:]
    private var routines: [PartialCall: Int] = [:]

    /// - Parameter page: the file name reported for errors that have no position in a template.
    init(_ expansion: Expansion, page: String) {
        self.expansion = expansion
        self.page = page
    }

    /// Binds the page.
    ///
    /// - Parameters:
    ///   - model: the page's model, in which names are searched first.
    ///   - layout: the layout's model, in which a name is searched if the page's model does not have it.
    mutating func bind(_ model: FieldTable, layout: FieldTable) throws(TemplateError) -> Program {
        _ = slot(of: layout)
        program.modelSlot = slot(of: model)
        program.operations = bind(expansion.pieces, pushing(model, on: [layout]))
        program.slots = slots.count
        for table in tables.values {
            for key in table.duplicates {
                errors.add("\(table.name) declares \(key) twice", at: Location(file: page, line: 1, column: 1))
            }
        }
        guard errors.problems.isEmpty else { throw errors }
        return program
    }

    /// Returns the slot of a model type in the program. The first call for a type assigns it.
    private mutating func slot(of table: FieldTable) -> Int {
        if let slot = slots[table.type] { return slot }
        slots[table.type] = slots.count
        tables[table.type] = table
        return slots.count - 1
    }

    /// Returns the stack with an inner model. An outer model of the same type is hidden and therefore removed, so the
    /// depth of the stack is at most the number of types.
    private func pushing(_ table: FieldTable, on stack: [FieldTable]) -> [FieldTable] {
        stack.filter { $0.type != table.type } + [table]
    }

    private mutating func bind(_ pieces: [Piece], _ stack: [FieldTable]) -> [Program.Operation] {
        var operations: [Program.Operation] = []
        for piece in pieces {
            switch piece {
            case .literal(let bytes):
                if case .literal(let before)? = operations.last {
                    operations[operations.count - 1] = .literal(before + bytes)
                } else {
                    operations.append(.literal(bytes))
                }
            case .variable(let name, let raw): operations += variable(name, raw: raw, stack)
            case .section(let name, let content): operations += section(name, content, stack)
            case .inverted(let name, let content): operations += inverted(name, content, stack)
            case .repeated(let partial): operations.append(.call(routine(partial, stack)))
            }
        }
        return operations
    }

    private mutating func variable(_ name: Name, raw: Bool, _ stack: [FieldTable]) -> [Program.Operation] {
        guard let (slot, field) = resolve(name, stack) else { return [] }
        guard let write = field.write else {
            let hint = field.visit != nil || field.isTrue != nil ? "; open it with {{#\(name.text)}}" : ""
            return refuse("\(name.text) is \(field.kind.rawValue) and cannot be shown\(hint)", name)
        }
        if raw, field.kind != .html {
            return refuse("\(name.text) is \(field.kind.rawValue) and always escaped: write {{\(name.text)}}", name)
        }
        if !raw, field.kind == .html {
            return refuse("\(name.text) is markup: write {{{\(name.text)}}}", name)
        }
        return [.write(slot: slot, write)]
    }

    private mutating func section(_ name: Name, _ content: [Piece], _ stack: [FieldTable]) -> [Program.Operation] {
        guard let (slot, field) = resolve(name, stack) else { return [] }
        if let visit = field.visit, let child = field.child?() {
            let inner = self.slot(of: child)
            return [.each(slot: slot, visit, inner: inner, bind(content, pushing(child, on: stack)))]
        }
        guard let isTrue = field.isTrue else {
            return refuse("a section needs a flag, list or model; \(name.text) is \(field.kind.rawValue)", name)
        }
        return [.when(slot: slot, isTrue, is: true, bind(content, stack))]
    }

    private mutating func inverted(_ name: Name, _ content: [Piece], _ stack: [FieldTable]) -> [Program.Operation] {
        guard let (slot, field) = resolve(name, stack) else { return [] }
        guard let isTrue = field.isTrue else {
            return refuse("\(name.text) is \(field.kind.rawValue), which is never absent", name)
        }
        return [.when(slot: slot, isTrue, is: false, bind(content, stack))]
    }

    /// Returns the number of the routine for a recursive partial. The first call for a stack binds the partial.
    private mutating func routine(_ partial: Int, _ stack: [FieldTable]) -> Int {
        let key = PartialCall(partial: partial, stack: stack.map(\.type))
        if let number = routines[key] { return number }
        let number = program.routines.count
        routines[key] = number
        program.routines.append([])
        program.routines[number] = bind(expansion.partials[partial], stack)
        return number
    }

    private mutating func resolve(_ name: Name, _ stack: [FieldTable]) -> (slot: Int, field: Field)? {
        let first = name.components.first ?? "."
        let candidates = name.components.isEmpty ? stack.suffix(1) : stack[...]
        guard let table = candidates.last(where: { $0.fields[first] != nil }), var field = table.fields[first] else {
            let owners = candidates.reversed().filter { !$0.fields.isEmpty }.map(\.name).joined(separator: ", ")
            let message =
                first == "." ? "{{.}} is only allowed in a section over texts" : "no key \(first) in \(owners)"
            _ = refuse(message + suggestion(for: first, candidates), name)
            return nil
        }
        used.insert("\(table.name).\(first)")
        for component in name.components.dropFirst() {
            guard let next = resolve(component, in: field, name) else { return nil }
            field = next
        }
        return (slot(of: table), field)
    }

    /// Resolves a further component of a dotted name in the field of the preceding component.
    private mutating func resolve(_ component: String, in field: Field, _ name: Name) -> Field? {
        if let property = field.property(component) { return property }
        guard field.kind == .model, let child = field.child?() else {
            let hint = field.visit == nil ? "has no parts" : "must be opened with {{#\(field.name)}} first"
            _ = refuse("\(field.name) is \(field.kind.rawValue) and \(hint)", name)
            return nil
        }
        guard let inner = child.fields[component] else {
            _ = refuse("no key \(component) in \(child.name)", name)
            return nil
        }
        tables[child.type] = child
        used.insert("\(child.name).\(component)")
        return field.composed(with: inner)
    }

    /// Returns the end of an error message that suggests a similar key; empty if there is none.
    private func suggestion(for name: String, _ stack: ArraySlice<FieldTable>) -> String {
        let keys = stack.reversed().flatMap { $0.fields.keys.sorted() }
        let near = keys.first { $0.lowercased() == name.lowercased() || $0.hasPrefix(name) || name.hasPrefix($0) }
        return near.map { "; is it \($0)?" } ?? ""
    }

    private mutating func refuse(_ message: String, _ name: Name) -> [Program.Operation] {
        errors.add(message, at: name.location)
        return []
    }
}
