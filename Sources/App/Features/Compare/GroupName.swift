import Domain
import Templates

extension LanguageTexts {
    /// The name of a comparison with its unit, such as `Vollmilch, je l`, because names alone are not unique.
    func groupName(_ name: String, _ unit: StoredUnit, _ language: Language) -> String {
        self["server.group-name", ["name": .text(name), "unit": .text(unit.unit.symbolOfOne(language))]]
    }
}
