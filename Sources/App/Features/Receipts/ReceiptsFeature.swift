import Mail

enum ReceiptsFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        try ReceiptListController(services.database, services.slowWork, services.views).register(&routes)
        try UploadController(services.database, services.views, mailAddress: services.config.mailbox?.address).register(
            &routes)
        try PartialUploadController(services.database, services.views).register(&routes)
        try ReadingsController(services.database, services.views).register(&routes)
        try ReceiptController(services.database, services.views).register(&routes)
        try ReviewController(services.database, services.views).register(&routes)
        try HistoryController(services.database, services.views).register(&routes)
        try LostValuesController(services.database, services.views).register(&routes)
        try PartsController(services.database, services.views).register(&routes)
        try PictureController(database: services.database).register(&routes)
        try ReceiptAPI(services.database, services.views).register(&routes)
        try ReceiptEditAPI(services.database, services.views).register(&routes)
        try HistoryAPI(services.database, services.views).register(&routes)
        try LostValueAPI(services.database).register(&routes)
    }
}
