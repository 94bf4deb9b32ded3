import Crypto
import Domain
import HTTP
import Templates

/// What somebody types to make an account: set-up and invitations share it.
struct AccountForm: Sendable {
    var household = ""
    var name = ""
    var email = ""
    /// Nil while it will not do.
    var password: Password?
    var errors = FieldErrors()

    /// Shorter passwords are not taken; the forms say so too.
    static let passwordCharacters = 12

    /// An empty form.
    init() {}

    /// Reads and checks the fields; what is wrong stands in `errors`, in the person's language.
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

    /// Letters differ in case by the keyboard only.
    static func login(_ text: String) -> String { text.trimmed.lowercased() }

    private static func isLogin(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty && text.length <= TextLimit.login
            && !text.contains(where: \.isWhitespace)
    }
}
