import Domain
import HTTP
import Templates

/// Makes the values of `Frame` available to the templates of every page as `layout`, such as `{{layout.csrf}}`.
struct Layout: PageModel {
    let frame: Frame

    static let fields = Fields<Self> { f in
        f.model("layout") { $0.frame }
    }
}
