import Domain
import Templates

extension LanguageTexts {
    /// `Vollmilch, je l`: the unit tells groups of one name apart.
    func groupName(_ name: String, _ unit: StoredUnit, _ language: Language) -> String {
        self["server.group-name", ["name": .text(name), "unit": .text(unit.unit.symbol(language))]]
    }
}
