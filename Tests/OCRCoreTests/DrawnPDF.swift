/// A PDF of one page with lines in Helvetica of 14 points.
struct DrawnPDF {
    private var content = "BT /F 14 Tf 20 TL 30 800 Td\n"

    /// Adds a line of visible text.
    mutating func line(_ text: String) { content += "(\(text)) Tj T*\n" }

    /// Adds a line whose text layer differs from the visible text.
    mutating func line(_ start: String, shown: String, claimed: String) {
        content += "(\(start)) Tj /Span <</ActualText (\(claimed))>> BDC (\(shown)) Tj EMC T*\n"
    }

    /// Adds a line in the colour of the paper.
    mutating func whiteLine(_ text: String) { content += "1 1 1 rg (\(text)) Tj T* 0 0 0 rg\n" }

    /// Adds a line in the invisible text mode.
    mutating func invisibleLine(_ text: String) { content += "3 Tr (\(text)) Tj T* 0 Tr\n" }

    /// Adds a line far to the right of the page.
    mutating func outside(_ text: String) { content += "2000 0 Td (\(text)) Tj -2000 0 Td T*\n" }

    var bytes: [UInt8] {
        let stream = content + "ET"
        let objects = [
            "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 842]/Resources<</Font<</F 4 0 R>>>>/Contents 5 0 R>>",
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
            "<</Length \(stream.utf8.count)>>stream\n\(stream)\nendstream",
        ]
        var text = "%PDF-1.4\n"
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(text.utf8.count)
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = text.utf8.count
        text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for offset in offsets {
            let digits = String(offset)
            text += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
        }
        text += "trailer<</Size \(objects.count + 1)/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n"
        return Array(text.utf8)
    }
}
