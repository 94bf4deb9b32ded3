enum CompareFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        try CompareController(services.database, services.catalogues, services.slowWork, services.views).register(
            &routes)
        try GroupController(services.database, services.catalogues, services.slowWork, services.views).register(&routes)
        try GroupPageController(services.database, services.catalogues, services.views).register(&routes)
        try GroupAPI(services.database, services.catalogues, services.slowWork).register(&routes)
    }
}
