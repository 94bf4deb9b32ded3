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

    private static var features: [any Feature.Type] {
        [
            AccountsFeature.self, ArchivesFeature.self, BudgetsFeature.self, CompareFeature.self, ExchangeFeature.self,
            ExpensesFeature.self, HealthFeature.self, HelpFeature.self, HouseholdsFeature.self, KeysFeature.self,
            MatchingFeature.self, OfflineFeature.self, OverviewFeature.self, ProductsFeature.self, ReceiptsFeature.self,
            SettingsFeature.self, StoresAndCategoriesFeature.self, SyncFeature.self, WebhooksFeature.self,
            WinesFeature.self,
        ]
    }

    /// Reads and checks the templates, texts and routes.
    ///
    /// - Throws: the errors of `Views` and `Services`; `RouteError`.
    package convenience init(config: Config, database: Database, log: Log) throws {
        try self.init(
            config: config, database: database, log: log, views: try Views(config), passwords: PasswordHasher())
    }

    /// An app with parsed templates and a chosen password cost, for tests.
    init(config: Config, database: Database, log: Log, views: Views, passwords: PasswordHasher) throws {
        self.config = config
        self.database = database
        self.log = log
        let services = try Services(config: config, database: database, views: views, passwords: passwords)
        slowWork = services.slowWork
        catalogues = services.catalogues
        texts = views.library.texts

        var routes = Routes()
        for feature in Self.features { try feature.register(services, &routes) }
        self.routes = routes.router
        hosts = AllowedHosts(Set([config.baseURL.host] + ThisMachine.names + config.hosts))
        let origin = RequestOrigin(origins: [config.baseURL.description])
        let limiter = HouseholdRequestLimiter()
        let clients = ClientPipeline(
            router: routes.router, sessions: services.sessions, keys: APIKeys(database: database), origin: origin,
            crossOrigin: CrossOrigin(origins: config.apiOrigins), rates: RateLimits(limit: config.apiRate),
            syncRates: RateLimits(limit: config.apiRate * 20),
            repeats: IdempotentRequests(database: database), problems: ProblemDocuments(views), limiter: limiter)
        pipeline = Pipeline(
            router: routes.router, assets: views.assets, origin: origin,
            trustsProxy: config.trustsProxy,
            sessions: services.sessions, errorPages: try ErrorPages(views), signInAgain: services.signInAgain,
            headers: SecurityHeaders(
                address: config.baseURL, hasOwnAuthority: config.authorityFile != nil), log: log, clients: clients,
            limiter: limiter)
    }

    /// Answers one request, on the event loop of its connection.
    package func respond(_ head: RequestHead, _ body: RequestBody) async -> Response {
        await pipeline.respond(head, body)
    }
}
