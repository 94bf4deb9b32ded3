/// The type and size of a file, determined from its first bytes without decoding pixels. The server checks every file
/// this way before it creates a job.
package struct ImageInspection: Equatable, Sendable {
    /// Supported types of files.
    package enum Kind: String, Equatable, Sendable, CaseIterable {
        case jpeg, png, webp, heic, pdf
    }

    /// The reason why a file is refused.
    package enum Refusal: Error, Equatable, Sendable {
        /// Unsupported type: HTTP 415.
        case unsupported
        /// Supported type, but truncated or with an unknown or zero size; or fewer than two bytes: HTTP 422.
        case damaged
        /// Too many pixels, too long a side, or too narrow: HTTP 422.
        case tooManyPixels
        /// More bytes than allowed: HTTP 413.
        case tooManyBytes
    }

    /// The maximum size of a file in bytes: 25 MiB.
    package static let maximumBytes = 25 << 20
    /// The maximum of width times height of one picture. A decoded grey picture has one byte per pixel.
    package static let maximumPixels = 64_000_000
    /// The maximum of the longer side, in pixels.
    package static let maximumSide = 16_384
    /// The maximum ratio of the longer to the shorter side.
    package static let maximumAspect = 60
    /// The number of bytes at the beginning of a file that are examined: 1 MiB.
    package static let prefixBytes = 1 << 20

    /// Determined by content only; name and declared type are ignored.
    package var kind: Kind
    /// The width in pixels as stored, before rotation by metadata; 0 for a PDF.
    package var width: Int
    /// The height in pixels as stored, before rotation by metadata; 0 for a PDF.
    package var height: Int

    package init(kind: Kind, width: Int, height: Int) {
        self.kind = kind
        self.width = width
        self.height = height
    }

    /// - Parameters:
    ///   - prefix: the first bytes of the file; only the first `prefixBytes` are examined.
    ///   - fileBytes: the length of the whole file.
    /// - Throws: `Refusal`, which determines the status of the answer.
    package static func inspect(_ prefix: [UInt8], fileBytes: Int) throws(Refusal) -> ImageInspection {
        guard fileBytes <= maximumBytes else { throw .tooManyBytes }
        let bytes = HeaderBytes(prefix.prefix(prefixBytes))
        // Too short for any type.
        guard bytes.count >= 2 else { throw .damaged }
        if bytes.has([0xFF, 0xD8, 0xFF]) { return try checked(.jpeg, jpegSize(bytes)) }
        if bytes.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return try checked(.png, pngSize(bytes)) }
        if bytes.has("RIFF"), bytes.has("WEBP", at: 8) { return try checked(.webp, webpSize(bytes)) }
        if bytes.has("ftyp", at: 4), bytes.hasHEICBrand { return try checked(.heic, heicSize(bytes)) }
        if bytes.has("%PDF-") { return ImageInspection(kind: .pdf, width: 0, height: 0) }
        if bytes.isTruncatedSignature { throw .damaged }
        throw .unsupported
    }

    /// Returns the inspection of a picture of a known size within the limits.
    private static func checked(_ kind: Kind, _ size: (width: Int, height: Int)?) throws(Refusal) -> ImageInspection {
        guard let size, size.width > 0, size.height > 0 else { throw .damaged }
        guard size.width <= maximumSide, size.height <= maximumSide, size.width * size.height <= maximumPixels,
            max(size.width, size.height) <= maximumAspect * min(size.width, size.height)
        else { throw .tooManyPixels }
        return ImageInspection(kind: kind, width: size.width, height: size.height)
    }
}

/// The beginning of a file. Reading beyond it returns nil.
struct HeaderBytes {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    /// The byte at an offset.
    subscript(_ at: Int) -> UInt8? {
        at >= 0 && at < bytes.count ? bytes[bytes.startIndex + at] : nil
    }

    func has(_ expected: [UInt8], at: Int = 0) -> Bool {
        at >= 0 && at + expected.count <= count && bytes.dropFirst(at).starts(with: expected)
    }

    func has(_ text: StaticString, at: Int = 0) -> Bool {
        guard at >= 0, at + text.utf8CodeUnitCount <= count else { return false }
        return text.withUTF8Buffer { bytes.dropFirst(at).starts(with: $0) }
    }

    /// An integer of `size` bytes, big-endian.
    func bigEndian(_ at: Int, _ size: Int) -> Int? {
        guard at >= 0, at + size <= count else { return nil }
        return bytes.dropFirst(at).prefix(size).reduce(0) { $0 << 8 | Int($1) }
    }

    /// An integer of `size` bytes, little-endian.
    func littleEndian(_ at: Int, _ size: Int) -> Int? {
        guard at >= 0, at + size <= count else { return nil }
        return bytes.dropFirst(at).prefix(size).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Whether the bytes are only the signature of a supported type or a part of it. Such a file is truncated, not
    /// unsupported.
    var isTruncatedSignature: Bool {
        let signatures: [[UInt8]] = [
            [0xFF, 0xD8], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("RIFF".utf8), Array("%PDF-".utf8),
        ]
        return signatures.contains { $0.count >= count && has(Array($0.prefix(count))) }
    }
}
