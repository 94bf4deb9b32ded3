/// The labels of a `WineIndex`, numbered from 0. A label is a producer's wine of one name and colour, with all its
/// vintages. A text is stored as the number of its sequence in `WordSequences`.
struct WineLabels: Sendable {
    var producers: [UInt32] = []
    var names: [UInt32] = []
    var regions: [UInt32] = []
    var grapes: [UInt32] = []
    var countries: [UInt32] = []
    /// The index in `WineColor.allCases`; 255 if the colour is unknown.
    var colors: [UInt8] = []
    /// The first wine of each label, followed by the end of the last.
    var starts: [UInt32] = [0]

    var count: Int { producers.count }
    var bytes: Int {
        (producers.capacity + names.capacity + regions.capacity + grapes.capacity + countries.capacity
            + starts.capacity) * 4 + colors.capacity
    }

    /// The positions of a label's wines in `WineIndex.wines`.
    func wines(of label: UInt32) -> Range<Int> { Int(starts[Int(label)])..<Int(starts[Int(label) + 1]) }

    func color(of label: UInt32) -> WineColor? {
        let color = Int(colors[Int(label)])
        return WineColor.allCases.indices.contains(color) ? WineColor.allCases[color] : nil
    }

    /// The label of a wine. A linear search, used only for texts that a person assigned to a wine.
    ///
    /// - Parameters:
    ///   - wine: the ordinal of the wine.
    ///   - wines: `WineIndex.wines`.
    func label(of wine: Int32, in wines: [Int32]) -> UInt32? {
        guard let position = wines.firstIndex(of: wine) else { return nil }
        var (low, high) = (0, count)
        while low + 1 < high {
            let middle = (low + high) / 2
            if Int(starts[middle]) <= position { low = middle } else { high = middle }
        }
        return UInt32(low)
    }
}
