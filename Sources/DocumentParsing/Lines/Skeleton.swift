/// Reduces words to a form that tolerates poor print: capitals without accents, with similar characters unified.
///
/// The key words in `chains.facts` and the words of the page are reduced in the same way, so `ZÄHLEN`, `zahlen` and
/// `ZAHL3N` are equal or differ in one letter. Names of items are never changed.
enum Skeleton {
    static func of(_ scalars: some Sequence<Unicode.Scalar>) -> [UInt8] {
        var result: [UInt8] = []
        for scalar in scalars { result.append(contentsOf: reduced(scalar)) }
        return result
    }

    /// The set of characters as bits. Each capital, and each digit that no capital replaces, has a bit of its own.
    static func characterSet(of skeleton: some Sequence<UInt8>) -> UInt64 {
        skeleton.reduce(0) { $0 | (1 << UInt64($1 & 63)) }
    }

    /// The ASCII codes of the capitals or digits that replace a scalar: 79 (`O`) for `0` and `ö`. Empty for scalars
    /// that are left out.
    private static func reduced(_ scalar: Unicode.Scalar) -> [UInt8] {
        switch scalar {
        case "0", "Ö", "ö", "Ó", "Ò", "Ô", "ó", "ò", "ô": [79]
        case "1", "|", "!", "i", "I", "l", "L", "í", "ì", "î", "[", "]", "ï", "Ł", "ł": [73]
        case "5", "$", "Ś", "ś", "Ş", "ş", "Ș", "ș": [83]
        case "8", "ß": [66]
        case "6": [71]
        case "2", "Ź", "ź", "Ż", "ż": [90]
        case "Ç", "ç", "Ć", "ć": [67]
        case "Ñ", "ñ", "Ń", "ń": [78]
        case "Ț", "ț", "Ţ", "ţ": [84]
        case "Ä", "ä", "À", "Á", "Â", "à", "á", "â", "Ą", "ą", "Ă", "ă": [65]
        case "Ü", "ü", "Ù", "Ú", "Û", "ù", "ú", "û": [85]
        case "È", "É", "Ê", "è", "é", "ê", "ë", "Ę", "ę": [69]
        case "€": [69, 85, 82]
        case "a"..."z": [UInt8(scalar.value) - 32]
        case "A"..."Z", "3", "4", "7", "9": [UInt8(scalar.value)]
        default: []
        }
    }

    /// The edit distance (insert, delete, replace); `limit` + 1 if it is greater than `limit`.
    static func distance(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>, limit: Int) -> Int {
        guard abs(left.count - right.count) <= limit else { return limit + 1 }
        if limit == 0 { return left.elementsEqual(right) ? 0 : 1 }
        if left.elementsEqual(right) { return 0 }
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: right.count + 1) { row in
            for column in 0...right.count { row[column] = column }
            for (i, a) in left.enumerated() {
                var diagonal = i
                row[0] = i + 1
                var rowMinimum = i + 1
                for (j, b) in right.enumerated() {
                    let above = row[j + 1]
                    let value = min(above + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
                    row[j + 1] = value
                    rowMinimum = min(rowMinimum, value)
                    diagonal = above
                }
                if rowMinimum > limit { return limit + 1 }
            }
            return min(row[right.count], limit + 1)
        }
    }
}
