/// A word as read by an engine.
public struct RecognizedWord: Codable, Sendable, Equatable {
    /// UTF-8, NFC, without control characters.
    public var text: String
    /// The box around the ink.
    public var box: PixelBox
    /// The engine's confidence, 0…100. The scales of two engines differ.
    public var confidence: Int
    /// Alternative readings, best first; often empty.
    ///
    /// In `RecognizedLine.secondEngineWords`, if a word may be an amount, its alternatives are the most likely readings
    /// that are amounts (`1,99`, `-0,25`, `12,49 A`). The alternatives of other words are the most likely other
    /// readings.
    public var alternatives: [String]
    /// The cost of `text`, followed by the costs of `alternatives`. A cost is −100 × ln P, at most 65,535, where P is
    /// the engine's probability of the reading: 0 for P = 1, 69 for P = 1/2, 461 for P = 1/100. Empty for words of the
    /// first engine.
    public var costs: [Int]

    public init(text: String, box: PixelBox, confidence: Int, alternatives: [String] = [], costs: [Int] = []) {
        self.text = text
        self.box = box
        self.confidence = confidence
        self.alternatives = alternatives
        self.costs = costs
    }

    /// Also decodes words that were stored before `costs` existed.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        text = try values.decode(String.self, forKey: .text)
        box = try values.decode(PixelBox.self, forKey: .box)
        confidence = try values.decode(Int.self, forKey: .confidence)
        alternatives = try values.decode([String].self, forKey: .alternatives)
        costs = try values.decodeIfPresent([Int].self, forKey: .costs) ?? []
    }
}
