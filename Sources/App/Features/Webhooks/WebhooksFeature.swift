enum WebhooksFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        try WebhookController(services.config, services.database, services.views).register(&routes)
        try WebhookAPI(services.config, services.database).register(&routes)
    }
}
