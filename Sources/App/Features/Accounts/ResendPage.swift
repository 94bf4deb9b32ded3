import HTTP
import Templates

/// The model of the view `accounts/resend`, which is shown after signing in again. Its button resends the form that was
/// refused because the session had ended.
struct ResendPage: PageModel {
    let kept: KeptForm
    /// The target of the link that skips sending the form.
    let next: String

    static let fields = Fields<Self> { f in
        f.text("path") { $0.kept.path }
        f.list("fields") { $0.kept.fields.map(KeptField.init) }
        f.text("next") { $0.next }
    }

    struct KeptField: PageModel {
        let field: NamedValue

        static let fields = Fields<Self> { f in
            f.text("name") { $0.field.name }
            f.text("value") { $0.field.value }
        }
    }
}
