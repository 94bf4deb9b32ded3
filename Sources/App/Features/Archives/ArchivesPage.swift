import Domain
import Postgres
import Templates

/// The model of the view `settings/archives`.
struct ArchivesPage: PageModel {
    /// Whether the operator has set a folder for archives.
    let hasFolder: Bool
    let archives: [Archive]
    let progress: [Progress]
    let results: [Outcome]
    /// The households of the requesting person; shown if there are several.
    let households: [HouseholdChoice]
    let errors: FieldErrors

    struct HouseholdChoice: PageModel {
        let id: HouseholdID
        let name: String
        let isCurrent: Bool

        static let fields = Fields<Self> { f in
            f.text("id") { $0.id.description }
            f.text("name") { $0.name }
            f.flag("isCurrent") { $0.isCurrent }
        }
    }

    struct Archive: PageModel {
        let name: String
        let time: String
        let size: String

        init(_ entry: HouseholdArchives.Entry, _ language: Language) {
            name = entry.name
            let madeAt = BackupName(text: entry.name)?.madeAt ?? entry.changedAt
            time = DisplayDate.dayAndTime(PostgresInstant(microsecondsSince1970: madeAt * 1_000_000), language)
            let tenths = (entry.size + 52_428) / 104_858
            let separator = language == .german ? "," : "."
            size = "\(tenths / 10)\(separator)\(tenths % 10) MiB"
        }

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.text("time") { $0.time }
            f.text("size") { $0.size }
        }
    }

    struct Progress: PageModel {
        let title: String
        let percent: Int

        static let fields = Fields<Self> { f in
            f.text("title") { $0.title }
            f.text("percent") { String($0.percent) }
        }
    }

    struct Outcome: PageModel {
        let name: String
        let time: String
        let text: String
        /// The restored household, if the person is a member of it.
        let household: String?

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.text("time") { $0.time }
            f.text("text") { $0.text }
            f.optionalText("household") { $0.household }
        }
    }

    static let fields = Fields<Self> { f in
        f.flag("hasFolder") { $0.hasFolder }
        f.flag("hasArchives") { !$0.archives.isEmpty }
        f.list("archives") { $0.archives }
        f.flag("isBusy") { !$0.progress.isEmpty }
        f.list("progress") { $0.progress }
        f.flag("hasResults") { !$0.results.isEmpty }
        f.list("results") { $0.results }
        f.flag("hasSeveralHouseholds") { $0.households.count > 1 }
        f.list("households") { $0.households }
        f.model("errors") { $0.errors }
    }
}
