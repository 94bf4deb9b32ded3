import HTTP
import Templates

/// A message that is shown once after a redirect, with a button that undoes the action or a link to its result.
struct Flash: Sendable, Equatable {
    /// The end of the text key `server.flash.<key>`.
    let key: String
    /// The value of `{{count}}` in the text.
    let count: Int
    /// The numbers for `{{second}}` and `{{third}}`.
    let others: [Int]
    /// A path; a POST request to it, without fields, undoes the action.
    let undo: String?
    /// A page that shows the result.
    let link: String?

    static let cookie = "flash"

    init(_ key: String, count: Int = 0, others: [Int] = [], undo: String? = nil, link: String? = nil) {
        self.key = key
        self.count = count
        self.others = others
        self.undo = undo
        self.link = link
    }

    /// Reads `key!count+second+third!/undo!/link`; returns nil for anything else.
    init?(cookie: String) {
        let parts = cookie.split(separator: "!", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let key = parts.first, (1...60).contains(key.utf8.count),
            key.utf8.allSatisfy({ ($0 >= 97 && $0 <= 122) || $0 == 45 })
        else { return nil }
        let counts = parts[1].split(separator: "+", omittingEmptySubsequences: false).map { Int($0) }
        guard counts.count <= 3, let first = counts.first, let count = first, !counts.contains(nil) else { return nil }
        self.key = String(key)
        self.count = count
        others = counts.dropFirst().compactMap { $0 }
        undo = parts[2].isEmpty ? nil : Redirect.ownPath(String(parts[2]))
        link = parts[3].isEmpty ? nil : Redirect.ownPath(String(parts[3]))
    }

    /// The values of the numbers in the text by name.
    var numbers: [String: Value] {
        let names = ["count", "second", "third"]
        return Dictionary(uniqueKeysWithValues: zip(names, [count] + others).map { ($0, .number(String($1))) })
    }

    var cookieValue: String {
        "\(key)!\(([count] + others).map(String.init).joined(separator: "+"))!\(undo ?? "")!\(link ?? "")"
    }
}

extension Response {
    /// Shows the message on the next page.
    func flashing(_ flash: Flash) -> Response {
        var response = self
        response.headers.append(SetCookie(host: Flash.cookie, value: flash.cookieValue, maxAge: 60))
        return response
    }
}
