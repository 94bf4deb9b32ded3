enum ArchivesFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        try ArchiveController(services.config, services.database, services.signIn, SlowWork(), services.views).register(
            &routes)
    }
}
