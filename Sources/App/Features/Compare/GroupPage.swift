import Domain
import Templates

/// The model of the view `compare/group`: the form for a comparison.
struct GroupPage: PageModel {
    /// Nil for a new group.
    let id: ComparisonGroupID?
    let title: String
    /// Nil for a new group.
    let revision: Int64?
    let name: String
    let unit: StoredUnit
    /// The group's products when the page was opened. Saving removes those that are not ticked, and keeps products that
    /// were added since.
    let shown: [ProductID]
    /// The group's products. Those that were unticked stay in the form, so that they can be ticked again.
    let members: [Row]
    let candidates: [Row]
    let search: String
    let errors: FieldErrors
    let problem: Problem?

    static let fields = Fields<Self> { f in
        f.text("title") { $0.title }
        f.text("action") { page in page.id.map { "/compare/groups/\($0)" } ?? "/compare/groups" }
        f.optionalText("revision") { $0.revision.map(String.init) }
        f.optional("problem") { $0.problem }
        f.model("errors") { $0.errors }
        f.text("name") { $0.name }
        f.model("unit") { Unit(unit: $0.unit) }
        f.flag("hasMembers") { !$0.members.isEmpty }
        f.list("members") { $0.members }
        f.flag("hasCandidates") { !$0.candidates.isEmpty }
        f.list("candidates") { $0.candidates }
        f.texts("shown") { $0.shown.map(\.description) }
        f.text("search") { $0.search }
        f.flag("isEmptySearch") { !$0.search.isEmpty && $0.candidates.isEmpty }
        f.optionalText("deleteAction") { page in page.id.map { "/compare/groups/\($0)/removal" } }
    }

    struct Unit: PageModel {
        let unit: StoredUnit

        static let fields = Fields<Self> { f in
            f.flag("isKilogram") { $0.unit == .kilogram }
            f.flag("isLitre") { $0.unit == .litre }
            f.flag("isPiece") { $0.unit == .piece }
            f.flag("isMetre") { $0.unit == .metre }
        }
    }

    struct Row: PageModel {
        let id: ProductID
        let product: HouseholdCatalogue.Product
        let chainName: String
        let isTicked: Bool
        let language: Language

        static let fields = Fields<Self> { f in
            f.text("id") { $0.id.description }
            f.flag("isTicked") { $0.isTicked }
            f.text("productName") { $0.product.name }
            f.text("detail") { $0.chainName }
            f.text("basePrice") { row in
                row.product.price.map { ($0.base ?? $0.regular).shownAsBase(row.language) } ?? ""
            }
        }
    }
}
