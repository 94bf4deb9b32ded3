enum SyncFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        try CouchController(services.database).register(&routes)
        try RowSyncController(database: services.database).register(&routes)
    }
}
