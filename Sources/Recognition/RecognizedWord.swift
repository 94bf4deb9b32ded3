/// One word as an engine read it.
public struct RecognizedWord: Codable, Sendable, Equatable {
    /// UTF-8, NFC, without control characters.
    public var text: String
    /// The box around the ink.
    public var box: PixelBox
    /// How certain the engine is, 0…100. The scales of two engines differ.
    public var confidence: Int
    /// Alternative readings, best first; often empty.
    ///
    /// In `RecognizedLine.witness`, the alternatives of a word at the place of an amount are the most likely readings that
    /// are amounts (`1,99`, `-0,25`, `12,49 A`). Those of other words are the most likely other words.
    public var alternatives: [String]
    /// The costs of `text` and of each of `alternatives`, in this order: −100 × ln P, where P is the probability that the
    /// engine gives to the reading of this ink. 0 is certain, 69 is P = 1/2, 461 is P = 1/100; at most 65,535.
    /// Empty where the engine gives none: only the second engine does.
    public var costs: [Int]

    public init(text: String, box: PixelBox, confidence: Int, alternatives: [String] = [], costs: [Int] = []) {
        self.text = text
        self.box = box
        self.confidence = confidence
        self.alternatives = alternatives
        self.costs = costs
    }

    /// Reads words that were stored before `costs` existed, too.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        text = try values.decode(String.self, forKey: .text)
        box = try values.decode(PixelBox.self, forKey: .box)
        confidence = try values.decode(Int.self, forKey: .confidence)
        alternatives = try values.decode([String].self, forKey: .alternatives)
        costs = try values.decodeIfPresent([Int].self, forKey: .costs) ?? []
    }
}
