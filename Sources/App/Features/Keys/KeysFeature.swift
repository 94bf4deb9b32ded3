enum KeysFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        try KeyController(services.database, services.views).register(&routes)
        try KeyAPI(services.database).register(&routes)
    }
}
