extension Parameters {
    typealias Types = UnsafePointer<UInt32>
    typealias Values = UnsafePointer<UnsafePointer<CChar>?>
    typealias Numbers = UnsafePointer<Int32>

    /// Calls `body` with types, values, lengths and formats (all binary) as libpq expects them.
    func withLibpqArrays<Result>(_ body: (Types?, Values?, Numbers?, Numbers?) -> Result) -> Result {
        guard !entries.isEmpty else { return body(nil, nil, nil, nil) }
        let count = entries.count
        return withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: count * 3) { numbers in
                bytes.withUnsafeBytes { buffer in
                    // An empty value needs a pointer, because null means NULL.
                    let base = buffer.baseAddress ?? Self.emptyValue
                    for (index, entry) in entries.enumerated() {
                        let start = (base + entry.offset).assumingMemoryBound(to: CChar.self)
                        values.initializeElement(at: index, to: entry.length < 0 ? nil : start)
                        numbers.initializeElement(at: index, to: Int32(bitPattern: entry.type.oid))
                        numbers.initializeElement(at: count + index, to: Int32(max(0, entry.length)))
                        numbers.initializeElement(at: 2 * count + index, to: 1)
                    }
                    return withLargeValues(0, values) {
                        // The addresses are not nil, because `entries` is not empty.
                        let numbers = UnsafePointer(numbers.baseAddress!)
                        return numbers.withMemoryRebound(to: UInt32.self, capacity: count) { types in
                            body(types, UnsafePointer(values.baseAddress!), numbers + count, numbers + 2 * count)
                        }
                    }
                }
            }
        }
    }

    nonisolated(unsafe) private static let emptyValue = UnsafeRawPointer(
        UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

    /// Inserts the addresses of the values kept by reference and calls `body`. Calls itself once for each such value,
    /// because an address is valid in its closure only.
    private func withLargeValues<Result>(
        _ first: Int, _ values: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>, _ body: () -> Result
    ) -> Result {
        guard !large.isEmpty, let index = entries[first...].firstIndex(where: { $0.large >= 0 }) else { return body() }
        return large[entries[index].large].withUnsafeBytes { bytes in
            values[index] = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return withLargeValues(index + 1, values, body)
        }
    }
}
