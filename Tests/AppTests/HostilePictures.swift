/// Pictures without pixels.
enum HostilePictures {
    /// A picture that the inspection accepts as a receipt.
    static let receipt = png(width: 100, height: 300, rest: Array(repeating: 7, count: 3_000))

    /// The signature and the header of a PNG without pixels. The inspection of uploads accepts it; a decoder does not.
    static func png(width: UInt32, height: UInt32, rest: [UInt8] = []) -> [UInt8] {
        func bigEndian(_ value: UInt32) -> [UInt8] {
            (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + bigEndian(13) + Array("IHDR".utf8) + bigEndian(width)
            + bigEndian(height) + [1, 0, 0, 0, 0, 0, 0, 0, 0] + rest
    }
}
