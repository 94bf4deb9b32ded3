import Domain
import HTTP
import Templates

/// The model of the layout. Templates access it as `layout`.
struct Layout: PageModel {
    let frame: Frame

    static let fields = Fields<Self> { f in
        f.model("layout") { $0.frame }
    }
}
