/// Finds printed names of one chain that differ by one letter of one word, such as `BBQ SAUCE` and `BBU SAUCE`. Often
/// they are the same name, misread once.
package enum NearNames {
    /// Shorter words are not compared, because they are often sizes and grades: `EIER M` and `EIER L` are two products.
    private static let shortestWord = 3

    /// Groups names that are near one another.
    ///
    /// - Parameter names: chain and key; no two are equal.
    /// - Returns: for each name, the index of the first name of its group; its own index if no other name is near.
    /// - Complexity: linear in the number of letters.
    package static func firstOfGroup(_ names: [(chain: String, key: String)]) -> [Int] {
        var first = Array(names.indices)
        func root(_ place: Int) -> Int {
            var place = place
            while first[place] != place { place = first[place] }
            return place
        }
        var seen: [String: Int] = [:]
        for (place, name) in names.enumerated() {
            for form in forms(of: name.key) {
                guard let other = seen.updateValue(place, forKey: "\(name.chain)\n\(form)") else { continue }
                let (one, another) = (root(place), root(other))
                first[max(one, another)] = min(one, another)
            }
        }
        return names.indices.map(root)
    }

    /// The key with one letter replaced by a mark, at each place in turn. Two keys that share a form are near.
    ///
    /// Also finds a lost letter: the mark is also inserted between letters, so that the shorter key with a mark equals
    /// the longer key whose extra letter is replaced by the mark.
    private static func forms(of key: String) -> Set<String> {
        var forms: Set<String> = []
        let words = key.split(separator: " ").map { Array($0.utf8) }
        for (place, word) in words.enumerated() where isName(word) {
            func add(_ changed: [UInt8]) {
                var all = words
                all[place] = changed
                forms.insert(String(decoding: Array(all.joined(separator: [UInt8(ascii: " ")])), as: UTF8.self))
            }
            for letter in word.indices {
                add(Array(word[..<letter]) + [replaced] + word[(letter + 1)...])
                add(Array(word[..<letter]) + [missing] + word[letter...])
                if word.count > shortestWord { add(Array(word[..<letter]) + [missing] + word[(letter + 1)...]) }
            }
            add(word + [missing])
        }
        return forms
    }

    private static func isName(_ word: [UInt8]) -> Bool {
        word.count >= shortestWord && word.allSatisfy(\.isFoldedLetter)
    }

    private static let replaced = UInt8(ascii: "?")
    private static let missing = UInt8(ascii: "_")
}
