enum StoresAndCategoriesFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        try StoresAndCategoriesController(services.database, services.views).register(&routes)
        try StoreAPI(services.database, services.views).register(&routes)
    }
}
