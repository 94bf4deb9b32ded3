enum OverviewFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        try OverviewController(services.database, services.views).register(&routes)
        try OverviewAPI(services.database).register(&routes)
    }
}
