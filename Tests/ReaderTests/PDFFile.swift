/// Writes PDF files: numbered objects and the cross-reference table.
struct PDFFile {
    private var objects: [(number: Int, body: [UInt8])] = []

    mutating func object(_ number: Int, _ body: String) { objects.append((number, Array(body.utf8))) }

    mutating func stream(_ number: Int, _ entries: String = "", _ data: [UInt8]) {
        let head = "<< \(entries) /Length \(data.count) >>\nstream\n"
        objects.append((number, Array(head.utf8) + data + Array("\nendstream".utf8)))
    }

    func bytes(trailer: String = "/Root 1 0 R") -> [UInt8] {
        var result = Array("%PDF-1.4\n".utf8)
        var places: [Int: Int] = [:]
        for (number, body) in objects {
            places[number] = result.count
            result += Array("\(number) 0 obj\n".utf8) + body + Array("\nendobj\n".utf8)
        }
        let table = result.count
        let last = places.keys.max() ?? 0
        result += Array("xref\n0 \(last + 1)\n0000000000 65535 f \n".utf8)
        for number in 1...max(1, last) {
            let digits = String(places[number] ?? 0)
            let padded = String(repeating: "0", count: 10 - digits.count) + digits
            result += Array("\(padded) 00000 \(places[number] == nil ? "f" : "n") \n".utf8)
        }
        result += Array("trailer\n<< /Size \(last + 1) \(trailer) >>\nstartxref\n\(table)\n%%EOF\n".utf8)
        return result
    }

    /// One page with this content, 300 × 500 points by default. The font F1 is Courier.
    static func page(
        _ content: String, size: String = "0 0 300 500", resources: String = "",
        more: (inout PDFFile) -> Void = { _ in }
    ) -> [UInt8] {
        var file = PDFFile()
        file.object(1, "<< /Type /Catalog /Pages 2 0 R >>")
        file.object(2, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
        file.object(
            3,
            """
            << /Type /Page /Parent 2 0 R /MediaBox [\(size)] /Contents 4 0 R
            /Resources << /Font << /F1 5 0 R >> \(resources) >> >>
            """)
        file.stream(4, "", Array(content.utf8))
        file.object(5, "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>")
        more(&file)
        return file.bytes()
    }

    /// Lines of text from the top of the page, 12 points high.
    static func text(_ lines: [String], mode: Int = 0, grey: String = "0") -> String {
        let textOperators = lines.map { "(\($0)) Tj 0 -16 Td" }.joined(separator: "\n")
        return "BT /F1 12 Tf \(grey) g \(mode) Tr 20 470 Td\n\(textOperators)\nET\n"
    }
}
