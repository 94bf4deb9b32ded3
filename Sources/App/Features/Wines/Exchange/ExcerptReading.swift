import Domain

/// Reads one page of a preview from the chunks of a table. Skips the lines of earlier pages without storing them.
struct ExcerptReading: Sendable {
    static let pageSize = 100
    /// The number of pages is limited because each page is found by reading the table from its beginning.
    static let maximumPages = 200

    private let separator: UInt8
    private let skipped: Int
    private var splitter: RecordSplitter
    private var headings: [String]?
    /// The number of data lines read so far.
    private var dataLines = 0
    /// The number of line breaks in the records read so far.
    private var lineBreaks = 0
    private var rows: [WineTables.Excerpt.Row] = []

    /// - Parameter page: starts at 1.
    init(first: [UInt8], page: Int) {
        separator = WineTables.separator(first)
        splitter = RecordSplitter(separator: separator)
        skipped = (min(max(1, page), Self.maximumPages) - 1) * Self.pageSize
    }

    /// Whether a line after the page has been read. The page is then full, and another page follows.
    var isComplete: Bool { rows.count > Self.pageSize }

    /// - Parameter piece: the next chunk; nil at the end of the table.
    /// - Throws: `WineTables.Failure`.
    mutating func add(_ piece: [UInt8]?) throws(WineTables.Failure) {
        let records = try splitter.records(adding: piece)
        let read = try WineTables.rows(records, separator: separator)
        for row in read {
            guard headings != nil else {
                headings = row.fields
                continue
            }
            dataLines += 1
            guard dataLines > skipped, rows.count <= Self.pageSize else { continue }
            rows.append(WineTables.Excerpt.Row(line: lineBreaks + row.line, fields: row.fields))
        }
        lineBreaks += records.count { $0 == 10 }
    }

    /// The page that was read; nil for a table without headings or without data lines.
    var excerpt: WineTables.Excerpt? {
        guard let headings, dataLines > 0 else { return nil }
        return WineTables.Excerpt(
            headings: headings, rows: Array(rows.prefix(Self.pageSize)),
            hasMore: isComplete && skipped / Self.pageSize + 1 < Self.maximumPages)
    }
}
