import Templates

/// The model of the view `help/phones`: the address for phones, the authority's certificate, the steps on iOS and
/// Android.
struct PhonesPage: PageModel {
    /// How phones reach the server and check its certificate.
    struct Connection: PageModel {
        let url: String
        let certificateHref: String
        let fingerprint: String

        static let fields = Fields<Self> { f in
            f.text("url") { $0.url }
            f.text("certificateHref") { $0.certificateHref }
            f.text("fingerprint") { $0.fingerprint }
            f.optional("qr") { QRCode($0.url).map(Picture.init) }
        }
    }

    /// The QR code of the address as an SVG path.
    struct Picture: PageModel {
        let code: QRCode

        static let fields = Fields<Self> { f in
            f.text("size") { String($0.code.size) }
            f.text("path") { $0.code.path }
        }
    }

    /// Nil without a private authority.
    let connection: Connection?

    static let fields = Fields<Self> { f in
        f.optional("connection") { $0.connection }
    }
}
