/// A model: a value whose type declares the keys that templates can use.
///
/// ```swift
/// struct ReceiptRow: PageModel {
///     let store: String
///     let isOffer: Bool
///     let lines: [Line]
///     static let fields = Fields<Self> { f in
///         f.text("store", \.store)
///         f.flag("isOffer", \.isOffer)
///         f.list("lines", \.lines)
///     }
/// }
/// ```
package protocol PageModel: Sendable {
    /// All keys of the model; built once.
    static var fields: Fields<Self> { get }
}
