import HTTP

/// The page that explains how to trust the private certificate authority on a phone. It works without signing in,
/// because a phone has to trust the authority first.
struct PhonesController: Sendable {
    private static let certificatePath = "/help/phones/ca.crt"

    private let page: View<PhonesPage>
    private let model: PhonesPage
    private let certificate: PrivateAuthority?

    /// - Throws: `ConfigError` if the authority's certificate is set but cannot be read.
    init(_ config: Config, _ views: Views) throws {
        page = try views.page("help/phones", PhonesPage.self)
        certificate = try config.authorityFile.map(PrivateAuthority.init)
        model = PhonesPage(
            connection: certificate.map { authority in
                PhonesPage.Connection(
                    url: config.baseURL.description, certificateHref: Self.certificatePath,
                    fingerprint: authority.fingerprint)
            })
    }

    func register(_ routes: inout Routes) throws {
        try routes.visitor(.get, "/help/phones", "PhonesController.show") { request in
            page.response(model, for: request)
        }
        try routes.withoutSession(Self.certificatePath, "PhonesController.certificate") { _ in download() }
    }

    /// Sends the certificate with the media type that makes iOS and Android offer to install it.
    private func download() -> Response {
        guard let certificate else { return .text(.notFound, "There is no private certificate authority.\n") }
        return Response(
            .ok, headers: [.contentType: "application/x-x509-ca-cert"], body: .bytes(certificate.encoded))
    }
}
