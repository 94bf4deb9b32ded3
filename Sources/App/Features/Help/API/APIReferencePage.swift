import JSON
import Templates

/// The model of the view `help/api`: every operation of the API with its parameters and examples.
struct APIReferencePage: PageModel {
    let groups: [Group]
    /// Whether the page can send requests with the session of this browser.
    let canTry: Bool

    /// The operations with the same tag in the OpenAPI document.
    struct Group: PageModel {
        let name: String
        let operations: [Operation]

        var anchor: String { name.lowercased().replacing(" ", with: "-") }

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.text("anchor") { $0.anchor }
            f.list("operations") { $0.operations }
        }
    }

    struct Operation: PageModel {
        let name: String
        let method: String
        let path: String
        let summary: String
        let detail: String?
        /// The scope and the lowest role, such as `read:viewer`.
        let access: String
        let parameters: [Parameter]
        /// The media types of the body; nil without a body.
        let bodyTypes: String?
        let bodyExample: String?
        let status: String
        let answerExample: String?

        init(_ method: String, _ path: String, _ operation: JSONValue, _ document: JSONValue) {
            name = operation["operationId"]?.string ?? ""
            (self.method, self.path) = (method.uppercased(), path)
            summary = operation["summary"]?.string ?? ""
            detail = operation["description"]?.string
            access = operation["x-access"]?.string ?? ""
            parameters = (operation["parameters"]?.array ?? []).map { Parameter($0.resolved(in: document)) }
            let contents = operation["requestBody"]?["content"]?.object
            bodyTypes = contents.map { $0.names.joined(separator: ", ") }
            bodyExample = contents.flatMap { Self.example($0["application/json"], document) }
            let success = operation["responses"]?.object?.members.first { $0.name.hasPrefix("2") }
            status = success?.name ?? ""
            answerExample = Self.example(success?.value["content"]?["application/json"], document)
        }

        /// The example of a body's schema, indented.
        private static func example(_ content: JSONValue?, _ document: JSONValue) -> String? {
            content?["schema"]?.resolved(in: document)["example"]?.indented()
        }

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.text("method") { $0.method }
            f.text("path") { $0.path }
            f.text("summary") { $0.summary }
            f.optionalText("detail") { $0.detail }
            f.text("access") { $0.access }
            f.flag("hasParameters") { !$0.parameters.isEmpty }
            f.list("parameters") { $0.parameters }
            f.optionalText("bodyTypes") { $0.bodyTypes }
            f.optionalText("bodyExample") { $0.bodyExample }
            f.text("status") { $0.status }
            f.optionalText("answerExample") { $0.answerExample }
        }
    }

    struct Parameter: PageModel {
        let name: String
        /// One of `path`, `query` and `header`.
        let place: String
        let isRequired: Bool
        let type: String
        let detail: String

        init(_ parameter: JSONValue) {
            name = parameter["name"]?.string ?? ""
            place = parameter["in"]?.string ?? ""
            isRequired = parameter["required"]?.bool ?? false
            let schema = parameter["schema"]
            let choices = (schema?["enum"]?.array ?? []).compactMap(\.string).joined(separator: ", ")
            type = choices.isEmpty ? schema?["format"]?.string ?? schema?["type"]?.string ?? "" : choices
            detail = parameter["description"]?.string ?? ""
        }

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.text("place") { $0.place }
            f.flag("isRequired") { $0.isRequired }
            f.text("type") { $0.type }
            f.text("detail") { $0.detail }
        }
    }

    /// A type of error that the API can return.
    struct ProblemEntry: PageModel {
        let type: ProblemType

        static let fields = Fields<Self> { f in
            f.text("name") { $0.type.rawValue }
            f.text("title") { $0.type.title }
        }
    }

    static let fields = Fields<Self> { f in
        f.list("groups") { $0.groups }
        f.flag("canTry") { $0.canTry }
        f.list("problems") { _ in ProblemType.allCases.map(ProblemEntry.init) }
    }
}
