/// `jsonb`, as the bytes of its text. PostgreSQL refuses invalid JSON.
package struct PostgresJSON: PostgresValue, Hashable {
    /// UTF-8. PostgreSQL reformats `jsonb`, so a value that is read may differ in spaces and order from the value
    /// written.
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
