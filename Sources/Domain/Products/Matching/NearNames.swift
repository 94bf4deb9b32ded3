/// Finds printed names of one chain that differ by one letter of one word, such as `BBQ SAUCE` and `BBU SAUCE`. Often
/// one of them is a misread form of the other.
package enum NearNames {
    /// Shorter words are not compared, because they are often sizes and grades: `EIER M` and `EIER L` are two products.
    private static let shortestWord = 3

    /// Groups the names. Two names of one chain are in the same group if they differ by one letter of one word, or if
    /// further names connect them.
    ///
    /// - Parameter names: chain and key; no two are equal.
    /// - Returns: for each name, the index of the first name in its group.
    /// - Complexity: linear in the number of names.
    package static func firstSpellings(_ names: [(chain: String, key: String)]) -> [Int] {
        // For each name, the index of an earlier name of its group; its own index if there is none.
        var earlier = Array(names.indices)
        func root(_ position: Int) -> Int {
            var position = position
            while earlier[position] != position { position = earlier[position] }
            return position
        }
        var seen: [String: Int] = [:]
        for (position, name) in names.enumerated() {
            for form in forms(of: name.key) {
                guard let other = seen.updateValue(position, forKey: "\(name.chain)\n\(form)") else { continue }
                let (one, another) = (root(position), root(other))
                earlier[max(one, another)] = min(one, another)
            }
        }
        return names.indices.map(root)
    }

    /// Forms of the key with one letter changed. Two keys that share a form differ by one letter of one word.
    ///
    /// Forms with `?` find a replaced letter: `?` is in place of a letter. Forms with `_` find a missing letter: `_` is
    /// in place of a letter, or inserted. For example, `SALZ` and `SAZ` share the form `SA_Z`.
    private static func forms(of key: String) -> Set<String> {
        var forms: Set<String> = []
        let words = key.split(separator: " ").map { Array($0.utf8) }
        for (position, word) in words.enumerated() where isCompared(word) {
            func add(_ changed: [UInt8]) {
                var all = words
                all[position] = changed
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

    /// Whether the word is compared: it has letters only, and enough of them.
    private static func isCompared(_ word: [UInt8]) -> Bool {
        word.count >= shortestWord && word.allSatisfy(\.isFoldedLetter)
    }

    /// The mark for a replaced letter.
    private static let replaced = UInt8(ascii: "?")
    /// The mark for a missing letter.
    private static let missing = UInt8(ascii: "_")
}
