/// Languages the product speaks; the raw value is the BCP 47 tag.
package enum Language: String, Sendable, CaseIterable {
    case german = "de"
    case english = "en"

    var decimalSeparator: Character { self == .german ? "," : "." }
    var groupingSeparator: Character { self == .german ? "." : "," }
}
