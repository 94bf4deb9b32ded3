import Templates

/// The model of the view `stores-and-categories/index`: the household's stores and categories.
struct StoresAndCategoriesPage: PageModel {
    let stores: [StoreOrCategory]
    let categories: [StoreOrCategory]

    static let fields = Fields<Self> { f in
        f.flag("hasStores") { !$0.stores.isEmpty }
        f.list("stores") { $0.stores }
        f.flag("hasCategories") { !$0.categories.isEmpty }
        f.list("categories") { $0.categories }
    }
}
