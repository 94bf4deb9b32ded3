/// The text layer of a page, in points from the upper left.
struct PageText {
    struct Word {
        var text: String
        var left: Float
        var top: Float
        var right: Float
        var bottom: Float
    }

    var width: Float
    var height: Float
    var words: [Word]
}

/// Parses the output of `pdftotext -bbox-layout`: one element per line, attributes in quotes.
func parsePageTexts(_ xhtml: String, maximumWords: Int = 20_000) -> [PageText] {
    var pages: [PageText] = []
    var wordsLeft = maximumWords
    for line in xhtml.split(separator: "\n") {
        let element = line.drop { $0 == " " }
        if element.hasPrefix("<page ") {
            pages.append(
                PageText(
                    width: max(0, number("width", in: element)), height: max(0, number("height", in: element)),
                    words: []))
        } else if element.hasPrefix("<word "), !pages.isEmpty, wordsLeft > 0 {
            guard let open = element.firstIndex(of: ">"),
                let close = element[open...].range(of: "</word>")
            else { continue }
            let text = unescaped(element[element.index(after: open)..<close.lowerBound])
            let page = pages[pages.count - 1]
            let word = PageText.Word(
                text: text, left: number("xMin", in: element), top: number("yMin", in: element),
                right: number("xMax", in: element), bottom: number("yMax", in: element))
            // Ignores text outside the page, which is not visible.
            let middle = ((word.left + word.right) / 2, (word.top + word.bottom) / 2)
            guard word.right > word.left, word.bottom > word.top, (0...page.width).contains(middle.0),
                (0...page.height).contains(middle.1), text.contains(where: { $0 != " " })
            else { continue }
            pages[pages.count - 1].words.append(word)
            wordsLeft -= 1
        }
    }
    return pages
}

extension Substring {
    fileprivate func range(of text: String) -> Range<Index>? {
        var at = startIndex
        while at < endIndex {
            if self[at...].hasPrefix(text) { return at..<index(at, offsetBy: text.count) }
            at = index(after: at)
        }
        return nil
    }
}

/// The number in `name="…"`; 0 if it is missing or not finite.
private func number(_ name: String, in element: Substring) -> Float {
    guard let start = element.range(of: " \(name)=\"")?.upperBound else { return 0 }
    let value = Float(element[start...].prefix { $0 != "\"" }) ?? 0
    return value.isFinite && abs(value) < 1_000_000 ? value : 0
}

/// The text with XML entities replaced and control characters removed. Unknown entities are dropped.
private func unescaped(_ text: Substring) -> String {
    var result = ""
    var remainingText = text
    while let ampersand = remainingText.firstIndex(of: "&") {
        result += remainingText[..<ampersand]
        let entity = remainingText[ampersand...].prefix(10)
        guard let end = entity.firstIndex(of: ";") else {
            result += "&"
            remainingText = remainingText[remainingText.index(after: ampersand)...]
            continue
        }
        switch entity[entity.index(after: ampersand)..<end] {
        case "amp": result += "&"
        case "lt": result += "<"
        case "gt": result += ">"
        case "quot": result += "\""
        case "apos": result += "'"
        case let name:
            if name.hasPrefix("#"), let code = UInt32(name.dropFirst()), let scalar = Unicode.Scalar(code) {
                result.unicodeScalars.append(scalar)
            }
        }
        remainingText = remainingText[remainingText.index(after: end)...]
    }
    result += remainingText
    return String(result.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
}
