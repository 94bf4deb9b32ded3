/// `jsonb`, as the bytes of its text, which PostgreSQL checks.
package struct PostgresJSON: PostgresValue, Hashable {
    /// UTF-8. A value that was read has jsonb's formatting, which may differ from what was written.
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }
    /// - Parameter text: JSON; not checked here.
    package init(_ text: String) { bytes = Array(text.utf8) }

    package static var postgresType: PostgresType { .jsonb }

    package func encode(into parameters: inout Parameters) {
        parameters.write(UInt8(1))  // version of jsonb's binary form
        parameters.writeInline(bytes)
    }

    package init(cell: Cell) throws(CellError) { bytes = Array(try cell.textBytes()) }
}
