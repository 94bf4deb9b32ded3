import Domain
import HTTP
import Templates

/// The outer model of a page. Templates access its frame as `layout`.
struct Layout: PageModel {
    let frame: Frame

    static let fields = Fields<Self> { f in
        f.model("layout") { $0.frame }
    }
}
