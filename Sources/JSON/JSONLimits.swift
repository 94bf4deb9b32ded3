/// Limits for reading.
package struct JSONLimits: Sendable {
    /// Bytes of the whole text.
    package var size: Int
    /// Depth of nested arrays and objects.
    package var depth: Int
    /// Characters of one number.
    package var numberLength: Int

    package init(size: Int = 1 << 20, depth: Int = 32, numberLength: Int = 64) {
        self.size = size
        self.depth = depth
        self.numberLength = numberLength
    }
}
