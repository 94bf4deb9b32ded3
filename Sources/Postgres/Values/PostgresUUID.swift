/// A value of the type `uuid`.
package struct PostgresUUID: PostgresValue, Hashable {
    /// The first eight bytes, big-endian.
    package let high: UInt64
    /// The last eight bytes, big-endian.
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package static var postgresType: PostgresType { .uuid }

    package func encode(into parameters: inout Parameters) {
        parameters.write(high)
        parameters.write(low)
    }

    package init(cell: Cell) throws(CellError) { (high, low) = try cell.uuid() }
}
