/// The countries of receipts. The raw value is the ISO 3166-1 alpha-2 code.
package enum Country: String, Sendable, CaseIterable {
    case austria = "AT"
    case germany = "DE"
    case switzerland = "CH"

    /// The code in lower case, the suffix of the keys of texts for one country: `server.month.1.at`.
    package var region: String { rawValue.lowercased() }
}
