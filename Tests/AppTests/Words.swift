import Domain
import Templates

@testable import App

/// The interface texts in `Views/texts`.
enum Words {
    static func load(_ language: Language = .german) throws -> LanguageTexts {
        let config = try AppHarness.config()
        return try TemplateLibrary(
            folder: config.views, texts: config.views + "/texts", languages: Language.allCases.map(\.rawValue),
            reload: false
        ).texts[language]
    }
}
