enum BudgetsFeature: Feature {
    static func register(_ services: Services, _ routes: inout Routes) throws {
        try BudgetController(services.database, services.views).register(&routes)
        try GoalController(services.database, services.views).register(&routes)
        try BudgetAPI(services.database).register(&routes)
        try GoalAPI(services.database).register(&routes)
    }
}
