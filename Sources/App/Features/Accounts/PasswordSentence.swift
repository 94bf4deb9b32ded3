import Crypto
import Templates

/// Returns the message for a chosen password that is not allowed.
enum PasswordSentence {
    static func of(_ problem: Password.Problem, _ words: LanguageTexts) -> String {
        switch problem {
        case .tooShort: words["server.form.password-short"]
        case .tooLong: words["server.form.password-long"]
        case .common: words["server.form.password-common"]
        case .personal: words["server.form.password-personal"]
        }
    }
}
