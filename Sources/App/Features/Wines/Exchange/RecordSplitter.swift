/// Splits a CSV file, which arrives in chunks, at the ends of its records, so that the whole file is never in memory.
struct RecordSplitter {
    private enum State {
        /// At the start of a field.
        case start
        /// In a field without quotation marks.
        case plain
        /// In a quoted field.
        case quoted
        /// After a quotation mark in a quoted field. The next byte decides whether the mark ends the field or is
        /// doubled.
        case closed
    }

    private let separator: UInt8
    private var rest: [UInt8] = []
    /// The number of bytes of `rest` that were scanned. `state` is the parser's state after them.
    private var scanned = 0
    private var state = State.start
    /// The number of bytes of `rest` up to the end of the last complete record.
    private var end = 0

    /// The maximum size of a record, in bytes.
    static let maximumRecordBytes = 256 << 10

    /// A record is longer than `maximumRecordBytes`; usually because a quotation mark is not closed.
    struct TooLong: Error {}

    init(separator: UInt8) { self.separator = separator }

    /// Adds bytes and returns all complete records that were not returned before.
    ///
    /// - Throws: `TooLong`.
    mutating func add(_ bytes: [UInt8]) throws(TooLong) -> [UInt8] {
        rest += bytes
        scan()
        guard rest.count - end <= Self.maximumRecordBytes + bytes.count else { throw TooLong() }
        guard end > 0 else { return [] }
        let records = Array(rest[..<end])
        rest.removeFirst(end)
        scanned -= end
        end = 0
        return records
    }

    /// Returns the remaining bytes: the last record, if it has no line end.
    mutating func finish() -> [UInt8] {
        defer { rest = [] }
        return rest
    }

    /// Adds a chunk of a wine table, or nil at its end, and returns all complete records that were not returned before.
    ///
    /// - Throws: `Failure.tooLarge`.
    mutating func records(adding chunk: [UInt8]?) throws(WineTables.Failure) -> [UInt8] {
        guard let chunk else { return finish() }
        do {
            return try add(chunk)
        } catch {
            throw .tooLarge
        }
    }

    private mutating func scan() {
        rest.withUnsafeBufferPointer { rest in
            for index in scanned..<rest.count {
                let byte = rest[index]
                switch (state, byte) {
                case (.quoted, 34): state = .closed
                case (.quoted, _): break
                // A doubled quotation mark is part of the field.
                case (.closed, 34): state = .quoted
                case (.start, 34): state = .quoted
                case (_, separator): state = .start
                case (_, 10):
                    state = .start
                    end = index + 1
                case (_, 13): state = .start
                default: state = .plain
                }
            }
            scanned = rest.count
        }
    }
}
