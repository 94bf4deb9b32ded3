/// The offsets of a time zone from UTC, from a file of the time zone database (TZif version 2 or later, RFC 8536).
package struct ZoneOffsets: Sendable {
    /// The first instant of each period, in seconds since 1970 UTC, ascending.
    private var starts: [Int] = []
    /// The offset of each period, in seconds east of UTC.
    private var offsets: [Int] = []
    private var initialOffset = 0
    /// The rule for instants after the last period.
    private var rule: ZoneRule?

    /// Nil when `bytes` are not a TZif file.
    package init?(tzif bytes: [UInt8]) {
        guard let first = Header(bytes, at: 0), first.version >= UInt8(ascii: "2") else { return nil }
        // Skips the first block, which has 32-bit times.
        let start = Header.size + first.blockSize(timeSize: 4)
        guard let header = Header(bytes, at: start) else { return nil }
        let times = start + Header.size
        let indices = times + header.timeCount * 8
        let types = indices + header.timeCount
        let footer = start + Header.size + header.blockSize(timeSize: 8)
        guard header.typeCount > 0, footer < bytes.count else { return nil }
        func offset(ofType index: Int) -> Int {
            Int(Int32(truncatingIfNeeded: bytes.bigEndian(at: types + index * 6, 4)))
        }
        initialOffset = offset(ofType: 0)
        for index in 0..<header.timeCount {
            let type = Int(bytes[indices + index])
            guard type < header.typeCount else { return nil }
            starts.append(bytes.bigEndian(at: times + index * 8, 8))
            offsets.append(offset(ofType: type))
        }
        let text = bytes[(footer + 1)...].prefix { $0 != UInt8(ascii: "\n") }
        rule = ZoneRule(String(decoding: text, as: UTF8.self))
    }

    /// The offset in seconds east of UTC.
    ///
    /// - Parameter seconds: since 1970, UTC.
    package func offset(at seconds: Int) -> Int {
        guard let last = starts.last, seconds < last else {
            return rule?.offset(at: seconds) ?? offsets.last ?? initialOffset
        }
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? initialOffset : offsets[low - 1]
    }

    private struct Header {
        static let size = 44

        let version: UInt8
        let timeCount: Int
        let typeCount: Int
        private let otherCounts: (universal: Int, standard: Int, leap: Int, characters: Int)

        init?(_ bytes: [UInt8], at start: Int) {
            guard bytes.count >= start + Header.size, bytes[start..<start + 4].elementsEqual("TZif".utf8) else {
                return nil
            }
            version = bytes[start + 4]
            let counts = (0..<6).map { bytes.bigEndian(at: start + 20 + $0 * 4, 4) }
            otherCounts = (counts[0], counts[1], counts[2], counts[5])
            timeCount = counts[3]
            typeCount = counts[4]
            guard counts.allSatisfy({ $0 < 100_000 }) else { return nil }
        }

        /// The length of the data after the header in bytes.
        func blockSize(timeSize: Int) -> Int {
            timeCount * (timeSize + 1) + typeCount * 6 + otherCounts.characters + otherCounts.leap * (timeSize + 4)
                + otherCounts.standard + otherCounts.universal
        }
    }
}

extension [UInt8] {
    fileprivate func bigEndian(at start: Int, _ count: Int) -> Int {
        self[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
