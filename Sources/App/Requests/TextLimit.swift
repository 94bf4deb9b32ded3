/// How long texts may be that people type, in characters as PostgreSQL counts them: code points. The columns have the
/// same bounds, and the forms' `maxlength` says so.
enum TextLimit {
    /// A household's or a person's name.
    static let name = 80
    static let login = 254
    static let productName = 120
    static let groupName = 80
    static let storeName = 80
    static let categoryName = 60
    /// A name as it is printed on a receipt.
    static let printedName = 200
    static let search = 100
}

extension String {
    /// Code points: a family of four on one picture is seven of them, and one `Character`.
    var length: Int { unicodeScalars.count }

    /// The first `limit` code points; a character that does not fit whole is left out.
    func cut(to limit: Int) -> String {
        guard length > limit else { return self }
        var result = ""
        var room = limit
        for character in self {
            room -= character.unicodeScalars.count
            guard room >= 0 else { break }
            result.append(character)
        }
        return result
    }
}
