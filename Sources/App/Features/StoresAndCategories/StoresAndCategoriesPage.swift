import Domain
import Templates

/// The model of the view `stores-and-categories/index`: the household's stores and categories, and the form for a new
/// category.
struct StoresAndCategoriesPage: PageModel {
    let stores: [StoreOrCategory]
    let categories: [StoreOrCategory]
    /// The name and the parent in a refused form.
    let name: String
    let parent: CategoryID?
    let errors: FieldErrors

    static let fields = Fields<Self> { f in
        f.flag("hasStores") { !$0.stores.isEmpty }
        f.list("stores") { $0.stores }
        f.flag("hasCategories") { !$0.categories.isEmpty }
        f.list("categories") { $0.categories }
        f.text("newName") { $0.name }
        f.list("parents") { page in
            page.categories.map {
                Choice(
                    value: $0.id, label: Categories.indented($0.name, by: $0.depth),
                    isSelected: $0.id == page.parent?.description)
            }
        }
        f.model("errors") { $0.errors }
    }
}
