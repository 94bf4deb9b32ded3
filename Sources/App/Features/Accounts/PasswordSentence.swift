import Crypto
import Templates

/// Messages for chosen passwords that are not allowed.
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
