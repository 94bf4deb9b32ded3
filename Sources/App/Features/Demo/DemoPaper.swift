import Demo
import Domain

/// A generated receipt as a PDF of one page, laid out like the receipts that tills print.
struct DemoPaper {
    private let rows: [String]

    /// The number of characters in a line. A character is 0.6 times as wide as the font size.
    private static let columns = 40
    /// The font size in points.
    private static let size = 9
    /// The distance of two lines in points.
    private static let pitch = 12
    /// The margin of the page in points.
    private static let margin = 14

    init(_ receipt: DemoHousehold.Receipt, _ store: DemoHousehold.Store, chain: String, number: Int) {
        var rows = [
            Self.centred(chain), Self.centred(store.street), Self.centred("\(store.postcode) \(store.town)"), "",
            Self.row("", "EUR"),
        ]
        for line in receipt.lines {
            let price = "\(line.total.figure()) \(line.vatClass?.code ?? " ")"
            rows.append(Self.row(line.printedName, price))
            let quantity = line.quantity
            if quantity.unit != .piece {
                rows.append("  \(quantity.figure()) \(quantity.unit.rawValue) x \(line.unitPrice.figure())")
            } else if quantity != .one {
                rows.append("  \(quantity.figure()) Stk x \(line.unitPrice.figure())")
            }
        }
        let total = receipt.total.figure()
        rows += [
            String(repeating: "-", count: Self.columns), Self.row("SUMME", "\(total)  "),
            Self.row("KARTENZAHLUNG", "\(total)  "), "",
        ]
        rows += Self.taxTable(receipt.lines)
        rows += [
            "", "\(receipt.day.formatted())  \(receipt.time.formatted)  Bon-Nr. \(number)",
            "Datum: \(receipt.day.formatted())", Self.centred("Vielen Dank für Ihren Einkauf"),
        ]
        self.rows = rows
    }

    /// The VAT table: rate, net, tax and gross of each class. Empty if a line has no VAT class or rate.
    private static func taxTable(_ lines: [DemoHousehold.Line]) -> [String] {
        var sums: [String: (rate: Int64, gross: Int64)] = [:]
        for line in lines {
            guard let code = line.vatClass?.code, let rate = line.vatRate else { return [] }
            sums[code, default: (Int64(rate.tenthsOfPercent), 0)].gross += line.total.minorUnits
        }
        let rows = sums.sorted { $0.key < $1.key }.map { code, sum -> String in
            // Rounded half up, as tills do.
            let net = (sum.gross * 2_000 + 1_000 + sum.rate) / (2 * (1_000 + sum.rate))
            let figures = [net, sum.gross - net, sum.gross].map { DecimalText.plain($0, decimals: 2) }
            let rate = DecimalText.plain(sum.rate, decimals: 1)
            return ("\(code)= \(rate)%" + figures.map { padded($0, 10) }.joined()).replacing(".", with: ",")
        }
        return ["MwSt" + padded("Netto", 14) + padded("MwSt", 10) + padded("Brutto", 10)] + rows
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }

    private static func centred(_ text: String) -> String {
        String(repeating: " ", count: max(0, (columns - text.count) / 2)) + text
    }

    /// A name at the left and a price at the right end of a line.
    private static func row(_ name: String, _ price: String) -> String {
        let name = String(name.prefix(columns - price.count - 1))
        return name + String(repeating: " ", count: columns - name.count - price.count) + price
    }

    // MARK: PDF

    /// PDF 1.4 with a standard font, which does not need to be embedded.
    var pdf: [UInt8] {
        let width = Self.columns * Self.size * 6 / 10 + 2 * Self.margin
        let height = rows.count * Self.pitch + 2 * Self.margin
        let shown = rows.map { "(\(Self.escaped($0))) Tj T*" }.joined(separator: "\n")
        let content =
            "BT /F1 \(Self.size) Tf \(Self.pitch) TL \(Self.margin) \(height - Self.margin - Self.size) Td\n\(shown)\nET"
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            """
            << /Type /Page /Parent 2 0 R /MediaBox [0 0 \(width) \(height)] /Contents 4 0 R
            /Resources << /Font << /F1 5 0 R >> >> >>
            """,
            "<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold /Encoding /WinAnsiEncoding >>",
        ]
        var file = "%PDF-1.4\n"
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(file.utf8.count)
            file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let tableOffset = file.utf8.count
        file += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for offset in offsets {
            let digits = String(offset)
            file += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
        }
        file += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(tableOffset)\n%%EOF\n"
        return Array(file.utf8)
    }

    /// Escapes brackets and backslashes. Writes the Latin-1 characters above ASCII and the euro sign as octal escapes.
    /// Replaces all other characters that are not printable ASCII by question marks.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "(", ")", "\\": result += "\\\(scalar)"
            case " "..."~": result.unicodeScalars.append(scalar)
            case "\u{A1}"..."\u{FF}": result += "\\" + String(scalar.value, radix: 8)
            case "€": result += "\\200"
            default: result += "?"
            }
        }
        return result
    }
}
