import CImage
import Glibc

/// The drawn receipt of the tests, and functions that modify a JPEG file.
enum JPEGFile {
    /// The total, which every correct reading of the receipt contains.
    static let total = "7,48"

    static let receipt = file("edeka.jpg")

    /// Reads a file from the folder of the test sources.
    static func file(_ name: String, source: String = #filePath) -> [UInt8] {
        let folder = source.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        let descriptor = open("\(folder)/Files/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &piece, piece.count), count > 0 { bytes += piece[..<count] }
        return bytes
    }

    /// A marker segment of at most 65,533 bytes.
    static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((data.count + 2) >> 8), UInt8((data.count + 2) & 255)] + data
    }

    /// The file with segments inserted after its start marker.
    static func with(_ segments: [UInt8], _ jpeg: [UInt8] = receipt) -> [UInt8] {
        Array(jpeg.prefix(2)) + segments + jpeg.dropFirst(2)
    }

    /// An EXIF segment whose first directory has these entries of 12 bytes. `next` is the offset of the next
    /// directory, and `trailing` follows the directory.
    static func exif(_ entries: [[UInt8]], next: UInt8 = 0, trailing: [UInt8] = []) -> [UInt8] {
        let head: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, UInt8(entries.count)]
        return segment(0xE1, Array("Exif\0\0".utf8) + head + entries.flatMap(\.self) + [0, 0, 0, next] + trailing)
    }

    static func orientation(_ value: UInt8) -> [UInt8] { [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0] }

    /// The offset of the size in the frame header.
    static func sizeOffset(in jpeg: [UInt8]) -> Int? {
        jpeg.indices.dropLast(9).first { at in
            jpeg[at] == 0xFF && [0xC0, 0xC1, 0xC2].contains(jpeg[at + 1]) && jpeg[at + 4] == 8
        }.map { $0 + 5 }
    }

    /// The picture rotated or mirrored without loss.
    static func transformed(_ operation: TJXOP) -> [UInt8] {
        guard let handle = tjInitTransform() else { return [] }
        defer { tjDestroy(handle) }
        var transform = tjtransform()
        transform.op = Int32(operation.rawValue)
        transform.options = TJXOPT_TRIM
        var output: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        guard tjTransform(handle, receipt, UInt(receipt.count), 1, &output, &size, &transform, 0) == 0, let output
        else { return [] }
        defer { tjFree(output) }
        return Array(UnsafeBufferPointer(start: output, count: Int(size)))
    }

    /// Grey pixels, row by row.
    static func pixels(of receipt: [UInt8] = receipt) -> (bytes: [UInt8], width: Int, height: Int) {
        guard let handle = tjInitDecompress() else { return ([], 0, 0) }
        defer { tjDestroy(handle) }
        var (width, height, subsampling, colours): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        tjDecompressHeader3(handle, receipt, UInt(receipt.count), &width, &height, &subsampling, &colours)
        var bytes = [UInt8](repeating: 0, count: Int(width) * Int(height))
        tjDecompress2(
            handle, receipt, UInt(receipt.count), &bytes, width, 0, height, Int32(TJPF_GRAY.rawValue), 0)
        return (bytes, Int(width), Int(height))
    }

    /// A grey JPEG of the rows between two percentages of the height.
    static func part(of jpeg: [UInt8], _ percent: Range<Int>) -> [UInt8] {
        let (grey, width, height) = pixels(of: jpeg)
        guard let handle = tjInitCompress(), height > 0 else { return [] }
        defer { tjDestroy(handle) }
        let rows = (height * percent.lowerBound / 100)..<(height * percent.upperBound / 100)
        let part = Array(grey[(rows.lowerBound * width)..<(rows.upperBound * width)])
        var output: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        guard
            tjCompress2(
                handle, part, Int32(width), 0, Int32(rows.count), Int32(TJPF_GRAY.rawValue), &output, &size,
                Int32(TJSAMP_GRAY.rawValue), 90, 0) == 0, let output
        else { return [] }
        defer { tjFree(output) }
        return Array(UnsafeBufferPointer(start: output, count: Int(size)))
    }

    /// The receipt in inverted CMYK, as Adobe writes it.
    static func invertedCMYK() -> [UInt8] {
        let (grey, width, height) = pixels()
        guard let handle = tjInitCompress() else { return [] }
        defer { tjDestroy(handle) }
        var inks = [UInt8](repeating: 255, count: 4 * grey.count)
        for (at, pixel) in grey.enumerated() { inks[4 * at + 3] = pixel }
        var output: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        guard
            tjCompress2(
                handle, inks, Int32(width), 0, Int32(height), Int32(TJPF_CMYK.rawValue), &output, &size,
                Int32(TJSAMP_444.rawValue), 60, 0) == 0, let output
        else { return [] }
        defer { tjFree(output) }
        return Array(UnsafeBufferPointer(start: output, count: Int(size)))
    }

    /// The receipt as a progressive JPEG with `count` empty scans at its end.
    static func scans(_ count: Int) -> [UInt8] {
        guard let handle = tjInitTransform() else { return [] }
        defer { tjDestroy(handle) }
        var transform = tjtransform()
        transform.options = TJXOPT_PROGRESSIVE
        var output: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        guard tjTransform(handle, receipt, UInt(receipt.count), 1, &output, &size, &transform, 0) == 0, let output
        else { return [] }
        defer { tjFree(output) }
        let bytes = Array(UnsafeBufferPointer(start: output, count: Int(size)))
        guard let last = bytes.indices.dropLast().last(where: { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }) else {
            return []
        }
        // A refinement scan without changes: its header and one end-of-band byte.
        let length = Int(bytes[last + 2]) << 8 | Int(bytes[last + 3])
        let scan = Array(bytes[last..<(last + 2 + length)]) + [0]
        return Array(bytes.prefix(bytes.count - 2)) + Array(repeating: scan, count: count).flatMap(\.self) + [
            0xFF, 0xD9,
        ]
    }
}
