import Domain
import Templates

/// The model of the view `products/edit`: the forms for changing a product.
struct ProductEditPage: PageModel {
    let product: StoredProduct
    let days: DayText
    /// The stored revision. After a refused form, the revision that the form sent, so that the next attempt is merged
    /// with changes made since then.
    var revision: Int64
    /// The stored category; after a refused form, the category chosen in it.
    var category: CategoryID?
    /// Typed values that could not be saved.
    var typedName: String?
    var typedPackage: TypedPackage?
    var problem: Problem?
    var errors = FieldErrors()

    private var language: Language { days.language }

    init(product: StoredProduct, days: DayText) {
        self.product = product
        self.days = days
        revision = product.revision
        category = product.category
    }

    static let fields = Fields<Self> { f in
        f.text("href") { "/products/\($0.product.id)" }
        f.text("revision") { String($0.revision) }
        f.optional("problem") { $0.problem }
        f.model("errors") { $0.errors }
        f.text("name") { $0.typedName ?? $0.product.name }
        f.text("storedName") { $0.product.name }
        f.list("categories") { page in
            page.product.categories.choices(page.category, page.language, page.days.words)
        }
        f.flag("hasPackages") { !$0.product.packages.isEmpty }
        f.list("packages") { page in
            page.product.packages.map { PackageRow(product: page.product.id, package: $0, language: page.language) }
        }
        f.model("typed") { $0.typedPackage ?? TypedPackage(amount: "", unit: "g", from: $0.days.today.iso) }
        f.list("aliases") { page in
            page.product.aliases.map {
                AliasRow(
                    alias: $0, chainName: page.product.naming.chain($0.chain), canDetach: page.product.aliases.count > 1
                )
            }
        }
    }

    /// Typed values of the package size form.
    struct TypedPackage: PageModel {
        let amount: String
        /// A value of the select box.
        let unit: String
        /// An ISO date, as the browser sends it.
        let from: String

        static let fields = Fields<Self> { f in
            f.text("amount") { $0.amount }
            f.text("from") { $0.from }
            f.list("units") { typed in
                ["g", "kg", "ml", "l", "piece", "m"].map { UnitChoice(value: $0, isSelected: $0 == typed.unit) }
            }
        }
    }

    struct UnitChoice: PageModel {
        let value: String
        let isSelected: Bool

        static let fields = Fields<Self> { f in
            f.text("value") { $0.value }
            f.flag("isPiece") { $0.value == "piece" }
            f.flag("isSelected") { $0.isSelected }
        }
    }

    struct PackageRow: PageModel {
        let product: ProductID
        let package: StoredProduct.Package
        let language: Language

        static let fields = Fields<Self> { f in
            f.text("size") { $0.package.size.shownAsPackage($0.language) }
            f.text("from") { $0.package.from.formatted($0.language) }
            f.text("removeAction") { "/products/\($0.product)/packages/\($0.package.from.iso)/removal" }
        }
    }

    struct AliasRow: PageModel {
        let alias: StoredProduct.Alias
        let chainName: String
        /// False for the only printed name of a product, because a product without printed names gets no more prices.
        let canDetach: Bool

        static let fields = Fields<Self> { f in
            f.text("id") { $0.alias.id.description }
            f.text("printedName") { $0.alias.printedName }
            f.text("chainName") { $0.chainName }
            f.text("count") { String($0.alias.count) }
            f.flag("canDetach") { $0.canDetach }
        }
    }
}
