/// The routes of one folder in `Features`.
protocol Feature {
    /// Makes the controllers of the folder, and adds their routes.
    ///
    /// - Throws: `TemplateError`, `RouteError`, `SystemError`.
    static func register(_ services: Services, _ routes: inout Routes) throws
}
