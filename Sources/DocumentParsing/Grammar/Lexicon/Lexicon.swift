import Domain

/// Words and signs of quantities. Lists for different places of a line are kept apart, because a word that is certain
/// after a figure may be a part of a name elsewhere.
enum Lexicon {
    // MARK: Multiplication signs

    /// Signs in clear print.
    static let times = "xX×*"
    /// Signs that are alone on a line or touch a figure; a star there may be decoration.
    static let letterTimes = "xX×"
    /// Signs and words between count and unit price in lower case, as printed and as misread.
    static let betweenFigures: Set<String> = [
        "x", "*", "×", "#", "à", "á", "a", "@", "%", "&", "xx", "x*", "ä", "&ä", "&à", "ep", "epreis", "einzelpreis",
    ]
    /// Signs between a name and its unit price.
    static let beforeUnitPrice: Set<String> = ["à", "á", "a", "x", "X", "*", "×", "@"]

    // MARK: Pieces

    /// Words for pieces in names, in lower case.
    static let pieces: Set<String> = ["stk", "stk.", "stck", "stück", "st", "st."]
    /// Words for pieces between count and unit price, as printed and as misread. The first match is used.
    static let piecesBetweenFigures = [
        "stk", "stck", "stück", "stuks", "stuck", "stueck", "st", "btk", "sik", "5tk", "stx", "pcs", "pkg", "pck", "fl",
        "pack", "pak", "pk", "paar", "btl", "gl", "bd", "szt", "op", "buc", "pz", "ea",
    ]
    /// Words for pieces between a leading count and the name, and after the name and its count.
    static let piecesBeforeName: Set<String> = ["stk", "stk.", "st", "st."]
    static let piecesAfterName: Set<String> = ["st", "st.", "stk", "stk.", "stück", "x"]
    /// Words and signs that remain of a quantity if its figures were lost.
    static let withoutFigures = pieces.union(["stuck", "stueck", "kg", "x", "×"])
    /// Words above a column of counts.
    static let countHeaders: Set<String> = ["ANZ", "ANZAHL", "MENGE", "STK", "STCK", "STÜCK", "STUECK"]
    /// Labels in front of a count.
    static let labels: Set<String> = ["menge", "menge:", "anzahl", "anzahl:", "anz.", "anz", "qty"]

    // MARK: Counts. The weaker the evidence for a count is, the fewer pieces are plausible.

    /// Counts beside a multiplication sign or a word for pieces or articles.
    static let markedCounts: ClosedRange<Int64> = 1...999
    /// Counts in a column, or with a unit price that gives the amount.
    static let columnCounts: ClosedRange<Int64> = 1...99
    /// Counts that are computed from a unit price.
    static let impliedCounts: ClosedRange<Int64> = 2...99
    /// Counts in a name without a unit price.
    static let countsInNames: ClosedRange<Int64> = 2...24
    /// Counts that are a bare number, or are not printed at all.
    static let bareCounts: ClosedRange<Int64> = 2...12

    // MARK: Units

    /// Units between quantity and unit price, as printed and as misread. The first match is used.
    static let units: [(spelling: String, unit: MeasureUnit)] = [
        ("kg", .kilogram), ("kq", .kilogram), ("k9", .kilogram), ("ltr", .litre), ("liter", .litre), ("litre", .litre),
        ("litri", .litre), ("l", .litre), ("m", .metre), ("g", .gram),
    ]
    /// Units that occur again in a price per unit: `42,15 l 1,729 EUR/l`.
    static let rated: Set<String> = ["kg", "l", "ltr", "liter", "litre", "litri", "m"]
    /// Units of base prices: `1 kg = 9,96 EUR`.
    static let basePriceUnits: Set<String> = ["kg", "g", "l", "ml", "m", "st", "stk", "stück"]
    /// Units of contents after a figure: `5,0% vol 0,50 l`.
    static let contents: Set<String> = ["l", "ltr", "liter", "ml", "cl", "g", "gr", "kg", "m", "cm", "vol", "wl"]
    /// Units of sizes that touch a whole number, `200ST`, or a decimal one, `2,5m`.
    static let wholeSizes: Set<String> = [
        "ST", "STK", "ML", "CL", "KG", "GR", "ER", "CM", "MM", "BL", "WL", "TAB", "BT",
    ]
    static let decimalSizes: Set<String> = ["M", "L", "KG", "ML", "CL", "CM", "MM", "QM"]
    /// Words of sizes and offers. A price after a count and such a word is not a unit price.
    static let packages = [
        "beutel", "tabs", "tabletten", "kapseln", "rollen", "blatt", "pads", "tücher", "tuecher", "windeln", "punkte",
        "=", "nur",
    ]
}
