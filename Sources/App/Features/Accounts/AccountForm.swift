import Crypto
import Domain
import HTTP
import Templates

/// The form for a new account, used for set-up and invitations.
struct AccountForm: Sendable {
    var household = ""
    var name = ""
    var email = ""
    /// Nil if the typed password is not allowed.
    var password: Password?
    var errors = FieldErrors()

    /// The smallest allowed number of characters of a password, which the forms also state.
    static let passwordCharacters = 12

    init() {}

    /// Reads and checks the fields. Afterwards `errors` contains the messages in the language of `words`.
    ///
    /// - Parameter wantsHousehold: whether the form also asks for the name of a new household.
    init(_ form: FormFields, wantsHousehold: Bool, words: LanguageTexts) {
        household = form.trimmed("household") ?? ""
        name = form.trimmed("name") ?? ""
        email = Self.login(form.trimmed("email") ?? "")
        if wantsHousehold { errors["household"] = TextLimit.problem(household, TextLimit.name, words) }
        errors["name"] = TextLimit.problem(name, TextLimit.name, words)
        if !Self.isLogin(email) { errors["email"] = words["server.form.email"] }
        do {
            password = try Password(
                choosing: form["password"] ?? "", personal: [name, email, household], minimum: Self.passwordCharacters)
        } catch {
            errors["password"] = PasswordSentence.of(error, words)
        }
    }

    /// Normalises an e-mail address: trims it and converts it to lower case.
    static func login(_ text: String) -> String { text.trimmed.lowercased() }

    static func isLogin(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty && text.length <= TextLimit.login
            && !text.contains(where: \.isWhitespace)
    }
}
