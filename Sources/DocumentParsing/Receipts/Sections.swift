/// The sections of a receipt, as indices into its lines.
struct Sections: Sendable {
    var head: Range<Int>
    var body: Range<Int>
    /// Nil if no total was found.
    var total: Int?
    var tail: Range<Int>
}
