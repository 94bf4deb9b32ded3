enum ExchangeFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        try ImportController(services.database, services.slowWork, services.views).register(&routes)
        try ExportController(services.database).register(&routes)
        try NameExchangeController(services.database, services.slowWork, services.views).register(&routes)
        try ImportAPI(services.database, services.slowWork).register(&routes)
    }
}
