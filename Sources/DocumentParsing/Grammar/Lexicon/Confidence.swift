/// Limits of the engine's confidence in a word, 0…100, for decisions outside the search; the search uses `Costs`. The
/// engine's figures are not probabilities, so the limits are rough.
enum Confidence {
    /// Readings below this are dropped if another reading of the same place is certain.
    static let chance = 20
    /// Minimum of a word that is matched with a short known phrase. Below it, the match may be chance.
    static let recognisable = 40
    /// Words below this may be specks, folds or the wood grain of a table.
    static let dirt = 50
    /// Minimum of words that count as legible.
    static let legible = 60
    /// Minimum of amounts and letters that are accepted as read.
    static let clear = 70
    /// Minimum of a total that is accepted as read. It is higher than `clear`, because a misread total makes every sum
    /// wrong.
    static let clearTotal = 75
    /// Minimum of words that are accepted as read although they are short or match no known word.
    static let sure = 80
    /// Minimum of words that need little further evidence.
    static let verySure = 85
    /// From this confidence on, a name that only resembles the name of a chain is another name: `BELLA` is then not a
    /// misread `BILLA`.
    static let sureName = 93
}
