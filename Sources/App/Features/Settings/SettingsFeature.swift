enum SettingsFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        try SettingsController(
            services.database, services.views, hasSecondEngine: services.config.secondEngine != nil
        ).register(&routes)
        try AccountController(services.database, services.signIn, services.views).register(&routes)
    }
}
