import CZlib

/// Writes PNG files, with errors if a test needs them.
struct PNGFile {
    private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// - Parameter colour: 0 grey, 2 RGB, 3 palette.
    init(width: Int, height: Int, depth: UInt8 = 8, colour: UInt8 = 0, interlaced: Bool = false) {
        chunk("IHDR", big(width) + big(height) + [depth, colour, 0, 0, interlaced ? 1 : 0])
    }

    /// A complete picture of grey pixels, row by row, with 8 or 16 bits each, interlaced or not.
    static func grey(
        _ pixels: [UInt8], width: Int, height: Int, depth: UInt8 = 8, interlaced: Bool = false,
        before: [(String, [UInt8])] = []
    ) -> [UInt8] {
        var file = PNGFile(width: width, height: height, depth: depth, interlaced: interlaced)
        for (kind, data) in before { file.chunk(kind, data) }
        // Adam7 passes: first column, first row, steps.
        let passes =
            interlaced
            ? [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
            : [(0, 0, 1, 1)]
        var rows: [UInt8] = []
        for (left, top, across, down) in passes where left < width {
            for y in stride(from: top, to: height, by: down) {
                rows.append(0)
                for x in stride(from: left, to: width, by: across) {
                    rows += [UInt8](repeating: pixels[y * width + x], count: Int(depth) / 8)
                }
            }
        }
        file.chunk("IDAT", compressed(rows))
        file.chunk("IEND", [])
        return file.bytes
    }

    mutating func chunk(_ kind: String, _ data: [UInt8]) {
        let body = Array(kind.utf8) + data
        bytes += big(data.count) + body + big(Int(crc32(0, body, UInt32(body.count))))
    }

    private func big(_ value: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

/// Compresses to the zlib format.
func compressed(_ data: [UInt8]) -> [UInt8] {
    var size = compressBound(UInt(data.count))
    var result = [UInt8](repeating: 0, count: Int(size))
    guard compress2(&result, &size, data, UInt(data.count), 6) == Z_OK else { return [] }
    return Array(result.prefix(Int(size)))
}

/// Compresses zeros to the zlib format, about a thousandth of their size.
func compressedZeros(_ count: Int) -> [UInt8] {
    var stream = z_stream()
    guard deflateInit_(&stream, 9, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return [] }
    defer { deflateEnd(&stream) }
    var zeros = [UInt8](repeating: 0, count: 1 << 20)
    var output = [UInt8](repeating: 0, count: count / 500 + 4096)
    let capacity = output.count
    return zeros.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { space in
            stream.next_out = space.baseAddress
            stream.avail_out = UInt32(capacity)
            var left = count
            while left > 0 {
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(min(left, input.count))
                left -= min(left, input.count)
                deflate(&stream, left > 0 ? Z_NO_FLUSH : Z_FINISH)
            }
            return Array(space.prefix(capacity - Int(stream.avail_out)))
        }
    }
}
