import Crypto
import Domain
import EventLoop
import HTTP
import Mail
import Templates

/// The composition root: connects settings, database and features, and answers requests through `respond`. Uses no
/// sockets.
package final class App: Sendable {
    package let config: Config
    /// Connected as the application's role, for which row-level security applies to every statement.
    package let database: Database
    /// The route table, as shown by `allesteurer routes`.
    package let routes: Router<Endpoint>
    /// The host names that are accepted in the Host field.
    package let hosts: AllowedHosts
    package let log: Log
    /// Runs long computations of requests.
    package let slowWork: SlowWork
    let catalogues: HouseholdCatalogues
    let texts: Texts
    private let pipeline: Pipeline

    /// Reads and checks the templates, texts and routes.
    ///
    /// - Throws: `TemplateError`, `RouteError`, `SystemError`.
    package convenience init(config: Config, database: Database, log: Log) throws {
        try self.init(
            config: config, database: database, log: log, views: try Views(config), passwords: PasswordHasher())
    }

    /// An app with parsed templates and a chosen password cost, for tests.
    init(config: Config, database: Database, log: Log, views: Views, passwords: PasswordHasher) throws {
        self.config = config
        self.database = database
        self.log = log
        let sessions = Sessions(database: database)
        let invitations = Invitations(database: database)
        let resets = PasswordResets(database: database)
        let signIn = SignIn(database: database, sessions: sessions, passwords: passwords)
        let signInAgain = try SignInAgain(views)
        let slowWork = try SlowWork()
        self.slowWork = slowWork
        texts = views.library.texts
        let catalogues = HouseholdCatalogues(database, slowWork)
        self.catalogues = catalogues
        let accounts = Accounts(
            database: database, sessions: sessions, invitations: invitations, passwords: passwords)

        var routes = Routes()
        try HealthController(database: database).register(&routes)
        try InvitationController(accounts, views).register(&routes)
        try SignInController(signIn, signInAgain, invitations, views).register(&routes)
        try PasswordResetController(resets, passwords, views).register(&routes)
        try SettingsController(views, hasSecondEngine: config.secondEngine != nil).register(&routes)
        try AccountController(database, signIn, views).register(&routes)
        try HouseholdController(config, database, invitations, resets, views).register(&routes)
        try ArchiveController(config, database, signIn, try SlowWork(), views).register(&routes)
        try OtherHouseholdController(database).register(&routes)
        try StoresAndCategoriesController(database, views).register(&routes)
        try PhonesController(config, views).register(&routes)
        try StyleguideController(config, views).register(&routes)
        try DashboardController(database, views).register(&routes)
        try ExpenseListController(database, slowWork, views).register(&routes)
        try ExpenseController(database, views).register(&routes)
        try ExpenseExportController(database, views).register(&routes)
        try HiddenAmounts().register(&routes)
        try RateController(database, slowWork, views).register(&routes)
        try BankController(database, slowWork, views).register(&routes)
        try RuleController(database, slowWork, views).register(&routes)
        try RecurringController(database, slowWork, views).register(&routes)
        try SplitController(database, views).register(&routes)
        try BalanceController(database, views).register(&routes)
        try BudgetController(database, views).register(&routes)
        try GoalController(database, views).register(&routes)
        try ReceiptListController(database, slowWork, views).register(&routes)
        try UploadController(database, views, mailAddress: config.mailbox?.address).register(&routes)
        try PartialUploadController(database, views).register(&routes)
        try ReadingsController(database, views).register(&routes)
        try ReceiptController(database, views).register(&routes)
        try ReviewController(database, views).register(&routes)
        try HistoryController(database, views).register(&routes)
        try PartsController(database, views).register(&routes)
        try PictureController(database: database).register(&routes)
        try OverviewController(database, views).register(&routes)
        try ProductListController(database, catalogues, slowWork, views).register(&routes)
        try ProductPageController(database, views).register(&routes)
        try ProductController(database, views).register(&routes)
        try ProductMergeController(database, catalogues, slowWork, views).register(&routes)
        try MatchingController(database, catalogues, slowWork, views).register(&routes)
        try CompareController(database, catalogues, slowWork, views).register(&routes)
        try GroupController(database, catalogues, slowWork, views).register(&routes)
        try GroupPageController(database, catalogues, views).register(&routes)
        try ImportController(database, slowWork, views).register(&routes)
        try ExportController(database).register(&routes)
        try NameExchangeController(database, slowWork, views).register(&routes)
        try KeyController(database, views).register(&routes)
        try WebhookController(config, database, views).register(&routes)
        try WebhookAPI(config, database).register(&routes)
        let wineWork = try SlowWork(name: "wines")
        let wines = WineCatalogues(database, wineWork)
        let scanning = WineScanning(
            database: database, catalogues: wines, readers: ListReaders(config), frames: FrameTurns(),
            slowWork: wineWork)
        try WineController(database, wines, wineWork, views).register(&routes)
        try WineMergeController(database, wines, wineWork, views).register(&routes)
        try CellarController(database, views).register(&routes)
        try BoughtWineController(database, views).register(&routes)
        try WineSettingsController(database, views).register(&routes)
        try WineMetrics(database, token: config.metricsToken).register(&routes)
        try WineImportController(database, wineWork, views).register(&routes)
        try ScanController(database, scanning, views).register(&routes)
        try WineAPI(database, wines, wineWork, scanning, views).register(&routes)
        try ReceiptAPI(database, views).register(&routes)
        try ReceiptEditAPI(database, views).register(&routes)
        try HistoryAPI(database, views).register(&routes)
        try ProductAPI(database, catalogues, slowWork).register(&routes)
        try StoreAPI(database, views).register(&routes)
        try GroupAPI(database, catalogues, slowWork).register(&routes)
        try OverviewAPI(database).register(&routes)
        try ExpenseAPI(database).register(&routes)
        try SpendingAPI(database).register(&routes)
        try BudgetAPI(database).register(&routes)
        try GoalAPI(database).register(&routes)
        try RecurringAPI(database, slowWork).register(&routes)
        try RuleAPI(database, slowWork).register(&routes)
        try BalanceAPI(database).register(&routes)
        try RateAPI(database).register(&routes)
        try BankAPI(database, slowWork, views).register(&routes)
        try ImportAPI(database, slowWork).register(&routes)
        try MemberAPI(config, database, invitations).register(&routes)
        try KeyAPI(database).register(&routes)
        try APIReferenceController(views).register(&routes)
        try CouchController(database).register(&routes)
        try RowSyncController(database: database).register(&routes)
        let offline = try OfflineController(config, database, views)
        try offline.register(&routes)
        try ChangesController(database: database, version: offline.version).register(&routes)

        self.routes = routes.router
        hosts = AllowedHosts(Set([config.baseURL.host] + ThisMachine.names + config.hosts))
        let origin = RequestOrigin(origins: [config.baseURL.description])
        let turns = HouseholdTurns()
        let clients = ClientPipeline(
            router: routes.router, sessions: sessions, keys: APIKeys(database: database), origin: origin,
            crossOrigin: CrossOrigin(origins: config.apiOrigins), rates: RateLimits(limit: config.apiRate),
            syncRates: RateLimits(limit: config.apiRate * 20),
            repeats: IdempotentRequests(database: database), problems: ProblemDocuments(views), turns: turns)
        pipeline = Pipeline(
            router: routes.router, assets: views.assets, origin: origin,
            trustsProxy: config.trustsProxy,
            sessions: sessions, errorPages: try ErrorPages(views), signInAgain: signInAgain,
            headers: SecurityHeaders(
                address: config.baseURL, hasOwnAuthority: config.authorityFile != nil), log: log, clients: clients,
            turns: turns)
    }

    /// Answers one request, on the event loop of its connection.
    package func respond(_ head: RequestHead, _ body: RequestBody) async -> Response {
        await pipeline.respond(head, body)
    }
}
