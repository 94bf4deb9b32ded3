import Crypto

/// The parts of an `App` from which features make their controllers.
struct Services {
    let config: Config
    let database: Database
    let views: Views
    let passwords: PasswordHasher
    let sessions: Sessions
    let invitations: Invitations
    let resets: PasswordResets
    let accounts: Accounts
    let signIn: SignIn
    let signInAgain: SignInAgain
    let slowWork: SlowWork
    let catalogues: HouseholdCatalogues

    /// - Throws: `TemplateError`; `SystemError` if no thread can be started.
    init(config: Config, database: Database, views: Views, passwords: PasswordHasher) throws {
        self.config = config
        self.database = database
        self.views = views
        self.passwords = passwords
        sessions = Sessions(database: database)
        invitations = Invitations(database: database)
        resets = PasswordResets(database: database)
        accounts = Accounts(
            database: database, sessions: sessions, invitations: invitations, passwords: passwords)
        signIn = SignIn(database: database, sessions: sessions, passwords: passwords)
        signInAgain = try SignInAgain(views)
        slowWork = try SlowWork()
        catalogues = HouseholdCatalogues(database, slowWork)
    }
}
