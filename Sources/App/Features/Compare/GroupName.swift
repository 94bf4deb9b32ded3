import Domain
import Templates

extension LanguageTexts {
    /// Name with unit, such as `Vollmilch, je l`: names alone are not unique.
    func groupName(_ name: String, _ unit: StoredUnit, _ language: Language) -> String {
        self["server.group-name", ["name": .text(name), "unit": .text(unit.unit.symbol(language))]]
    }
}
