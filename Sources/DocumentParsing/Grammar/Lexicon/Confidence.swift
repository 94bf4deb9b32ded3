/// Limits of the engine's confidence in a word, 0…100, for decisions that weigh no costs. The engine's figures are
/// not probabilities, so the limits are rough.
enum Confidence {
    /// Readings below this are dropped if another reading of the same place is certain.
    static let chance = 20
    /// Minimum of a word that is matched with a short known phrase. Below it, the match may be chance.
    static let recognisable = 40
    /// Words below this may be specks, folds or the grain of the table.
    static let dirt = 50
    /// Minimum of words that count as read.
    static let legible = 60
    /// Minimum of amounts and letters that are taken as read.
    static let clear = 70
    /// The same for the total: if it is misread, no sum is right.
    static let clearTotal = 75
    /// Minimum of words that are taken as read although they are short, or differ from what is known.
    static let sure = 80
    /// Minimum of words that need little further evidence.
    static let verySure = 85
    /// Minimum of a name that differs from a similar name of a chain: `BELLA` is then not a misread `BILLA`.
    static let sureName = 93
}
