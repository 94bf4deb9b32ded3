/// Offline use, and the event stream that tells open pages about changes and new versions.
enum OfflineFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        let offline = try OfflineController(services.config, services.database, services.views)
        try offline.register(&routes)
        try ChangesController(database: services.database, version: offline.version).register(&routes)
    }
}
