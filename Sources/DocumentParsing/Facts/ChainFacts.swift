/// The data of the receipt parser: key words of receipts, and facts about single chains.
///
/// Source: `chains.facts` in this folder, or a file of the same form given by the user.
package struct ChainFacts: Sendable {
    /// The reason why a facts file is rejected.
    package enum Failure: Error, Equatable {
        /// The number, from 1, of a line that is not `key: value`, or has an unknown key or value.
        case line(Int)
    }

    /// The position of a chain's quantity line relative to its item.
    enum QuantityPlace: String, Sendable {
        case above, below, inline
    }

    /// The facts about one chain. The facts file describes their keys.
    struct Chain: Sendable {
        var name: String
        /// Another chain that abbreviates names of items in the same way.
        var naming: String?
        /// Words that name the chain at the start of a line of the head.
        var logos: [Phrase] = []
        /// Words that identify the chain on any line.
        var texts: [Phrase] = []
        /// Wordings that several chains may use. Two of them identify this chain if no other fact identifies a chain.
        var styles: [Phrase] = []
        var vatNumbers: [String] = []
        var quantity: QuantityPlace?
        var dateCodes: [DateCode] = []

        mutating func add(_ own: Chain) {
            logos += own.logos
            texts += own.texts
            styles += own.styles
            vatNumbers += own.vatNumbers
            quantity = own.quantity ?? quantity
            dateCodes += own.dateCodes
        }
    }

    /// The key words of each role.
    var phrases: [Role: [Phrase]] = [:]
    /// The labels of personal details.
    var labels: [PersonalDetail.Kind: [Phrase]] = [:]
    /// The labels of fiscal data that are printed as text.
    var fiscal: [FiscalField: [Phrase]] = [:]
    var chains: [Chain] = []

    package static let builtIn: ChainFacts = {
        // Cannot fail: the file is part of the program, and a test parses it.
        (try? ChainFacts(parsing: builtInText)) ?? ChainFacts()
    }()

    /// The text of the built-in facts file, a template for a user's own file.
    package static var builtInText: String { String(decoding: PackageResources.chains_facts, as: UTF8.self) }

    private init() {}

    /// Reads a facts file.
    ///
    /// - Throws: `Failure.line` for the first invalid line.
    package init(parsing text: String) throws(Failure) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmingBlanks
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let colon = line.firstIndex(of: ":") else { throw .line(index + 1) }
            let key = line[..<colon].trimmingBlanks
            let values = line[line.index(after: colon)...].split(separator: "|").map(\.trimmingBlanks)
                .filter { !$0.isEmpty }
            guard store(String(key), values.map(String.init)) else { throw .line(index + 1) }
        }
    }

    /// Each chain in the order of the file, with the chain that abbreviates product names in the same way, which is
    /// often the chain itself.
    package var namings: [(chain: String, naming: String)] { chains.map { ($0.name, $0.naming ?? $0.name) } }

    /// Returns the facts without those about `chain`, to test how receipts of an unknown chain are read.
    package func without(chain: String) -> ChainFacts {
        var rest = self
        rest.chains.removeAll { $0.name == chain }
        return rest
    }

    /// Returns these facts and the facts of another file: key words, new chains, and more facts about known chains.
    package func adding(_ own: ChainFacts) -> ChainFacts {
        var all = self
        all.phrases.merge(own.phrases, uniquingKeysWith: +)
        all.labels.merge(own.labels, uniquingKeysWith: +)
        all.fiscal.merge(own.fiscal, uniquingKeysWith: +)
        for chain in own.chains {
            if let known = all.chains.firstIndex(where: { $0.name == chain.name }) {
                all.chains[known].add(chain)
            } else {
                all.chains.append(chain)
            }
        }
        return all
    }

    /// Stores one line of the facts file. Returns false if the key or a value is unknown.
    private mutating func store(_ key: String, _ values: [String]) -> Bool {
        let parsed = values.compactMap { Phrase($0) }
        if let role = Role(rawValue: key) {
            phrases[role, default: []] += parsed
        } else if let kind = PersonalDetail.Kind(rawValue: key) {
            labels[kind, default: []] += parsed
        } else if let field = FiscalField(rawValue: key) {
            fiscal[field, default: []] += parsed
        } else if key == "name", let name = values.first {
            chains.append(Chain(name: name))
        } else {
            return storeFact(key, values, parsed)
        }
        return true
    }

    /// Stores a fact about the last chain. Returns false if there is no chain, or the key or a value is unknown.
    private mutating func storeFact(_ key: String, _ values: [String], _ parsed: [Phrase]) -> Bool {
        guard !chains.isEmpty else { return false }
        let last = chains.count - 1
        switch key {
        case "naming": chains[last].naming = values.first
        case "logo": chains[last].logos += parsed
        case "text": chains[last].texts += parsed
        case "style": chains[last].styles += parsed
        case "vat": chains[last].vatNumbers += values
        case "quantity":
            guard let place = values.first.flatMap(QuantityPlace.init) else { return false }
            chains[last].quantity = place
        case "date_code":
            let codes = values.compactMap { DateCode($0) }
            guard codes.count == values.count else { return false }
            chains[last].dateCodes += codes
        default: return false
        }
        return true
    }

    func match(_ role: Role, _ line: PrintedLine) -> PhraseMatch? { best(phrases[role] ?? [], line) }
    func match(_ kind: PersonalDetail.Kind, _ line: PrintedLine) -> PhraseMatch? { best(labels[kind] ?? [], line) }
    func match(_ field: FiscalField, _ line: PrintedLine) -> PhraseMatch? { best(fiscal[field] ?? [], line) }

    /// The match with the fewest misread letters. Of equal matches, prefers more words, then the match nearer to the
    /// start of the line: `Gegeben BAR` counts as `Gegeben`.
    private func best(_ phrases: [Phrase], _ line: PrintedLine) -> PhraseMatch? {
        phrases.compactMap { $0.match(in: line.skeleton) }.min {
            ($0.distance, -$0.words.count, $0.words.lowerBound) < ($1.distance, -$1.words.count, $1.words.lowerBound)
        }
    }
}
