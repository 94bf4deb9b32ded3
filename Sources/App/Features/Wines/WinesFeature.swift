enum WinesFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        let (database, views) = (services.database, services.views)
        let work = try SlowWork(name: "wines")
        let wines = WineCatalogues(database, work)
        let scanning = WineScanning(
            database: database, catalogues: wines, readers: ListReaders(services.config), frames: FrameLimiter(),
            slowWork: work)
        try WineController(database, wines, work, views).register(&routes)
        try WineMergeController(database, wines, work, views).register(&routes)
        try CellarController(database, views).register(&routes)
        try BoughtWineController(database, views).register(&routes)
        try WineSettingsController(database, views).register(&routes)
        try WineMetrics(database, token: services.config.metricsToken).register(&routes)
        try WineImportController(database, work, views).register(&routes)
        try ScanController(database, scanning, views).register(&routes)
        try WineAPI(database, wines, work, scanning, views).register(&routes)
    }
}
