import Recognition

/// The place of a value on a page, and how certain its print was read.
struct Place: Sendable, Equatable {
    var page: Int
    /// In pixels of the reading picture; nil for a value that is not printed.
    var box: PixelBox?
    /// 0…100.
    var confidence: Int

    /// A value that was read at this place.
    func reading<Value: Sendable>(of value: Value, isDoubtful: Bool = false, repair: Repair? = nil) -> Reading<Value> {
        Reading(value: value, confidence: confidence, page: page, box: box, isDoubtful: isDoubtful, repair: repair)
    }
}
