enum ProductsFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        try ProductListController(services.database, services.catalogues, services.slowWork, services.views).register(
            &routes)
        try ProductPageController(services.database, services.views).register(&routes)
        try ProductController(services.database, services.views).register(&routes)
        try ProductMergeController(services.database, services.catalogues, services.slowWork, services.views).register(
            &routes)
        try ProductAPI(services.database, services.catalogues, services.slowWork).register(&routes)
    }
}
