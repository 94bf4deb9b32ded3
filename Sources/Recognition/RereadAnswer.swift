/// The readings of one `RereadRequest`, best first.
public struct RereadAnswer: Codable, Sendable, Equatable {
    /// The request as it was sent; answers may come in any order.
    public var request: RereadRequest
    /// Of the first engine. Empty if nothing was recognised.
    public var readings: [RecognizedWord]
    /// Of the second engine, which reads the place alone: the most likely amounts for a place of an amount, else one
    /// text. Each has the place as its box, and its cost. Empty without the second engine.
    public var witness: [RecognizedWord]

    public init(request: RereadRequest, readings: [RecognizedWord], witness: [RecognizedWord] = []) {
        self.request = request
        self.readings = readings
        self.witness = witness
    }

    /// Reads answers that were kept before `witness` existed, too.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        request = try values.decode(RereadRequest.self, forKey: .request)
        readings = try values.decode([RecognizedWord].self, forKey: .readings)
        witness = try values.decodeIfPresent([RecognizedWord].self, forKey: .witness) ?? []
    }
}
