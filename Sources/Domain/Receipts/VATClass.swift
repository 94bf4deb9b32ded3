/// The VAT class printed beside a line (`A`, `B`, `1`, `AW`). The VAT table of the same receipt has its rate.
package struct VATClass: Hashable, Sendable {
    /// One to three characters, upper case.
    package let code: String

    /// Reads one to three ASCII letters, digits, `*` or `+`; blanks are ignored. Nil for other texts.
    package init?(_ text: some StringProtocol) {
        let body = String(text).filter { $0 != " " }.uppercased()
        guard (1...3).contains(body.utf8.count),
            body.utf8.allSatisfy({
                $0.isDigit || (65...90).contains($0) || $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "+")
            })
        else { return nil }
        code = body
    }
}
