/// The languages of the interface. The raw value is the BCP 47 tag.
package enum Language: String, Sendable, CaseIterable {
    case german = "de"
    case english = "en"

    var decimalSeparator: UInt8 { UInt8(ascii: self == .german ? "," : ".") }
    var groupingSeparator: UInt8 { UInt8(ascii: self == .german ? "." : ",") }
}
