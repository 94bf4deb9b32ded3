/// The tokens of one line. A tag over several lines belongs to the line in which it begins.
struct TemplateLine {
    let tokens: ArraySlice<Scanner.Token>
    /// White space at the beginning of the line.
    let leadingWhiteSpace: ArraySlice<UInt8>

    init(tokens: ArraySlice<Scanner.Token>) {
        self.tokens = tokens
        if case .text(let bytes)? = tokens.first {
            leadingWhiteSpace = bytes.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        } else {
            leadingWhiteSpace = []
        }
    }

    var firstTag: Scanner.Token? {
        tokens.first { if case .tag = $0 { true } else { false } }
    }

    var isBlank: Bool { firstTag == nil && hasOnlyWhiteSpaceAsText }

    /// Whether the line begins with a tag that opens a block, after white space only.
    var startsWithBlock: Bool {
        for token in tokens.prefix(2) {
            switch token {
            case .tag(let tag, _, _): return tag == .block
            case .text(let bytes): if bytes.count != leadingWhiteSpace.count { return false }
            }
        }
        return false
    }

    private var hasOnlyWhiteSpaceAsText: Bool {
        tokens.allSatisfy { token in
            if case .text(let bytes) = token { bytes.allSatisfy { $0 <= 0x20 } } else { true }
        }
    }

    /// Whether the line contains only tags without output: a single tag, or several tags of parents and blocks. No
    /// block may begin and end in this line.
    func isStandalone(inside open: [OpenTag.Kind]) -> Bool {
        guard hasOnlyWhiteSpaceAsText else { return false }
        var tags: [Scanner.Tag] = []
        for case .tag(let tag, _, _) in tokens { tags.append(tag) }
        if tags.count == 1 { return tags[0] != .variable && tags[0] != .raw && tags[0] != .text }
        var kinds = open
        for tag in tags {
            switch tag {
            case .parent: kinds.append(.parent)
            case .block: kinds.append(.block)
            case .close:
                let beganHere = kinds.count > open.count
                guard let kind = kinds.popLast(), kind == .parent || kind == .block && !beganHere else { return false }
            default: return false
            }
        }
        return !tags.isEmpty
    }
}
