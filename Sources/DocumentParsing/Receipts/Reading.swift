import Recognition

/// A value and its place on the page.
package struct Reading<Value: Sendable>: Sendable {
    /// The value after the repair, if `repair` is set.
    package var value: Value
    /// 0…100: the engine's confidence in the least certain word.
    package var confidence: Int
    /// Counted over all files of the document, from 0.
    package var page: Int
    /// In pixels of the picture that was read; nil for values that are not printed, such as a quantity of one.
    package var box: PixelBox?
    /// Needs a check by a person: repaired without further evidence, contradicted by other print, or barely read.
    package var isDoubtful: Bool = false
    /// Nil if the value is as the engine read it.
    package var repair: Repair?
}
