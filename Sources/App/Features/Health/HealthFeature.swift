enum HealthFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        try HealthController(database: services.database).register(&routes)
    }
}
