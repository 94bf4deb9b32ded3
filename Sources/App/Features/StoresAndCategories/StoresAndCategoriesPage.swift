import Templates

/// `stores-and-categories/index`.
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
