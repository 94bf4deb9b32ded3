enum MatchingFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        try MatchingController(services.database, services.catalogues, services.slowWork, services.views).register(
            &routes)
    }
}
