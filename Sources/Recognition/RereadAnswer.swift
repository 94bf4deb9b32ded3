/// The readings of one `RereadRequest`, best first.
public struct RereadAnswer: Codable, Sendable, Equatable {
    /// The request as it was sent. Answers may arrive in any order.
    public var request: RereadRequest
    /// The readings of the first engine. Empty if nothing was recognised.
    public var readings: [RecognizedWord]
    /// The readings of the second engine, which reads the place alone: the most likely amounts if an amount was
    /// requested, otherwise one text. Each has the requested box and one entry in `costs`. Empty without the second
    /// engine.
    public var secondEngineReadings: [RecognizedWord]

    public init(request: RereadRequest, readings: [RecognizedWord], secondEngineReadings: [RecognizedWord] = []) {
        self.request = request
        self.readings = readings
        self.secondEngineReadings = secondEngineReadings
    }

    private enum CodingKeys: String, CodingKey {
        case request, readings
        /// The name in stored answers.
        case secondEngineReadings = "witness"
    }

    /// Also decodes answers that were stored before `secondEngineReadings` existed.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        request = try values.decode(RereadRequest.self, forKey: .request)
        readings = try values.decode([RecognizedWord].self, forKey: .readings)
        secondEngineReadings = try values.decodeIfPresent([RecognizedWord].self, forKey: .secondEngineReadings) ?? []
    }
}
