import Domain

/// Parses a wine table that arrives in chunks.
struct WineTableParser: Sendable {
    /// Nil until the headings have been read.
    private(set) var mapping: WineMapping?
    private let makeMapping: @Sendable ([String]) -> WineMapping
    private let separator: UInt8
    private var splitter: RecordSplitter
    /// The number of skipped lines.
    private(set) var skipped = 0

    /// - Parameters:
    ///   - first: the first chunk, used to detect the separator.
    ///   - mapping: chooses the columns for the headings.
    init(first: [UInt8], mapping: @escaping @Sendable ([String]) -> WineMapping) {
        separator = WineTables.separator(first)
        splitter = RecordSplitter(separator: separator)
        makeMapping = mapping
    }

    /// Adds a chunk, or nil at the end of the table, and returns the wines of all lines that are now complete.
    ///
    /// - Throws: `WineTables.Failure`.
    mutating func add(_ piece: [UInt8]?) throws(WineTables.Failure) -> [ImportedWine] {
        let records = try splitter.records(adding: piece)
        var rows = try WineTables.rows(records, separator: separator)[...]
        if mapping == nil, let head = rows.popFirst() { mapping = makeMapping(head.fields) }
        guard let mapping else { return [] }
        var wines: [ImportedWine] = []
        for row in rows {
            switch ImportedWine.read(row.fields, mapping) {
            case .success(let wine): wines.append(wine)
            case .failure: skipped += 1
            }
        }
        return wines
    }
}
