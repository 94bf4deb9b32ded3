enum HelpFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        try PhonesController(services.config, services.views).register(&routes)
        try StyleguideController(services.config, services.views).register(&routes)
        try APIReferenceController(services.views).register(&routes)
    }
}
