enum ExpensesFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        try DashboardController(services.database, services.views).register(&routes)
        try ExpenseListController(services.database, services.slowWork, services.views).register(&routes)
        try ExpenseController(services.database, services.views).register(&routes)
        try ReceiptExpenseController(services.database, services.views).register(&routes)
        try ExpenseExportController(services.database, services.views).register(&routes)
        try HiddenAmounts().register(&routes)
        try RateController(services.database, services.slowWork, services.views).register(&routes)
        try BankController(services.database, services.slowWork, services.views).register(&routes)
        try BankPairController(services.database).register(&routes)
        try RuleController(services.database, services.slowWork, services.views).register(&routes)
        try RecurringController(services.database, services.slowWork, services.views).register(&routes)
        try SplitController(services.database, services.views).register(&routes)
        try BalanceController(services.database, services.views).register(&routes)
        try ExpenseAPI(services.database).register(&routes)
        try SpendingAPI(services.database).register(&routes)
        try RecurringAPI(services.database, services.slowWork).register(&routes)
        try RuleAPI(services.database, services.slowWork).register(&routes)
        try BalanceAPI(services.database).register(&routes)
        try RateAPI(services.database).register(&routes)
        try BankAPI(services.database, services.slowWork, services.views).register(&routes)
    }
}
