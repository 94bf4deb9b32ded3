/// The units in which products are sold. The raw value is the symbol that is stored and printed.
package enum MeasureUnit: String, Sendable, CaseIterable, Codable {
    case piece = "Stk"
    case gram = "g"
    case kilogram = "kg"
    case millilitre = "ml"
    case centilitre = "cl"
    case litre = "l"
    case centimetre = "cm"
    case metre = "m"
    /// One wash (Waschladung): the unit of detergents.
    case washLoad = "WL"

    /// The unit of base prices: kg for masses, l for volumes, m for lengths, else the unit itself.
    package var base: MeasureUnit {
        switch self {
        case .gram, .kilogram: .kilogram
        case .millilitre, .centilitre, .litre: .litre
        case .centimetre, .metre: .metre
        case .piece: .piece
        case .washLoad: .washLoad
        }
    }

    /// The number of these units in one base unit: 1,000 for grams, 1 for kilograms.
    package var perBase: Int64 {
        switch self {
        case .gram, .millilitre: 1_000
        case .centilitre, .centimetre: 100
        case .piece, .kilogram, .litre, .metre, .washLoad: 1
        }
    }

    /// Reads symbols and words, case-insensitively: `KG`, `Stk.`, `St`, `Liter`, `pcs`.
    package init?(parsing text: some StringProtocol) {
        let word = text.lowercased().filter { $0 != "." && $0 != " " }
        guard let unit = Self.spellings[word] else { return nil }
        self = unit
    }

    /// Also parses units that are not cases and returns them as multiples of a case: `dag` is 10 g, `Pfund` is 500 g.
    package static func multiple(parsing text: some StringProtocol) -> (unit: MeasureUnit, times: Int64)? {
        MeasureUnit(parsing: text).map { ($0, 1) } ?? multiples[text.lowercased().filter { $0 != "." && $0 != " " }]
    }

    /// `Stk.` or `pcs`, `WL` or `washes`, else the international symbol.
    package func symbol(_ language: Language) -> String {
        switch (self, language) {
        case (.piece, .german): "Stk."
        case (.piece, .english): "pcs"
        case (.washLoad, .english): "washes"
        default: rawValue
        }
    }

    /// The symbol for one unit, as in `per pc`.
    package func symbolOfOne(_ language: Language) -> String {
        switch (self, language) {
        case (.piece, .english): "pc"
        case (.washLoad, .english): "wash"
        default: symbol(language)
        }
    }

    private static let multiples: [String: (unit: MeasureUnit, times: Int64)] = [
        "dag": (.gram, 10), "dkg": (.gram, 10), "deka": (.gram, 10), "pfund": (.gram, 500), "pfd": (.gram, 500),
        "dl": (.centilitre, 10), "deziliter": (.centilitre, 10), "hl": (.litre, 100), "hektoliter": (.litre, 100),
    ]

    private static let spellings: [String: MeasureUnit] = [
        "stk": .piece, "stück": .piece, "stueck": .piece, "st": .piece, "pcs": .piece, "pc": .piece, "piece": .piece,
        "pieces": .piece, "x": .piece, "g": .gram, "gr": .gram, "gramm": .gram, "kg": .kilogram, "kilo": .kilogram,
        "kilogramm": .kilogram, "ml": .millilitre, "milliliter": .millilitre, "cl": .centilitre, "l": .litre,
        "lt": .litre, "ltr": .litre, "liter": .litre, "litre": .litre, "cm": .centimetre, "m": .metre, "mtr": .metre,
        "meter": .metre, "wl": .washLoad, "wg": .washLoad, "waschladungen": .washLoad, "washes": .washLoad,
    ]
}
