import HTTP
import JSON

/// A kind of resource that clients of the API show, change and remove. Every change requires its ETag in `If-Match`.
///
/// A conforming type loads and writes the resource. The handlers are in the extensions.
protocol EditedResource: Sendable {
    associatedtype Key: CustomStringConvertible & Sendable
    /// A loaded resource.
    associatedtype Resource: Sendable

    /// The path of the list below `/api/v1/`. With hyphens replaced by underscores, it is also the name of the list in
    /// the answer.
    static var name: String { get }
    /// The part of the path that identifies one resource, such as `{budget}`.
    static var parameters: String { get }
    /// Whether the answer depends only on the revision, not on time or other resources. If false, 304 is never sent.
    static var mayAnswerNotModified: Bool { get }

    /// Parses the key in the path.
    ///
    /// - Throws: `Refusal.notFound`.
    func key(_ request: ClientRequest) throws -> Key

    /// Loads a resource.
    ///
    /// - Throws: `Refusal.notFound`.
    func find(_ key: Key, _ request: ClientRequest) async throws -> Resource

    func revision(_ stored: Resource) -> Int64

    /// The resource's entity tag. It changes whenever a field that clients can replace changes. The default is the
    /// revision.
    func tag(_ stored: Resource) -> EntityTag

    func document(_ stored: Resource, _ request: ClientRequest) async throws -> JSONWriter

    /// Removes the resource if it still has the loaded revision.
    func delete(_ stored: Resource, _ request: ClientRequest) async throws
}

extension EditedResource {
    static var mayAnswerNotModified: Bool { true }
    func tag(_ stored: Resource) -> EntityTag { ClientRequest.tag(revision(stored)) }
    /// The path of the list.
    static var all: String { "/api/v1/\(name)" }
    /// The path of one resource.
    static var one: String { "\(all)/\(parameters)" }
    /// The name of the list in the answer.
    static var listMember: String { name.replacing("-", with: "_") }

    /// Registers showing and removing one resource.
    ///
    /// - Parameter readers: the lowest role that may read it; nil for viewers.
    func registerOne(_ routes: inout Routes, readers: Member.Role? = nil) throws {
        try routes.client(.get, Self.one, "\(Self.self).show", scope: .read, role: readers, show)
        try routes.client(.delete, Self.one, "\(Self.self).remove", scope: .write, remove)
    }

    private func show(_ request: ClientRequest) async throws -> Response {
        try await answer(key(request), request)
    }

    private func remove(_ request: ClientRequest) async throws -> Response {
        try await delete(try await loadForChange(request), request)
        return Response(.noContent)
    }

    /// Loads the resource in the path and checks the entity tag that the client sent.
    func loadForChange(_ request: ClientRequest) async throws -> Resource {
        let stored = try await find(try key(request), request)
        try request.requireMatch(tag(stored))
        return stored
    }

    /// Answers with a resource in its current state. With status 201, the Location field has its address.
    func answer(_ key: Key, _ request: ClientRequest, status: Status = .ok) async throws -> Response {
        let stored = try await find(key, request)
        var response = request.answer(
            try await document(stored, request), tag: tag(stored), status: status,
            mayAnswerNotModified: Self.mayAnswerNotModified)
        if status == .created { response.headers[.location] = "\(Self.all)/\(key)" }
        return response
    }
}

/// A resource that clients create by POST to the list.
protocol CreatedResource: EditedResource {
    /// Stores a new resource from the request's body.
    func add(_ request: ClientRequest) async throws -> Key
}

extension CreatedResource {
    func registerCreation(_ routes: inout Routes) throws {
        try routes.client(.post, Self.all, "\(Self.self).create", scope: .write, create)
    }

    private func create(_ request: ClientRequest) async throws -> Response {
        let key = try await request.writingOnce { try await add(request) }
        return try await answer(key, request, status: .created)
    }
}

/// A resource that clients change by PATCH.
protocol PatchedResource: EditedResource {
    /// Stores the fields in the request's body if the resource still has the loaded revision.
    func change(_ stored: Resource, _ request: ClientRequest) async throws
}

extension PatchedResource {
    func registerChange(_ routes: inout Routes) throws {
        try routes.client(.patch, Self.one, "\(Self.self).update", scope: .write, update)
    }

    private func update(_ request: ClientRequest) async throws -> Response {
        let stored = try await loadForChange(request)
        try await change(stored, request)
        return try await answer(try key(request), request)
    }
}

/// A resource whose objects are few enough in a household to be loaded and listed together.
protocol ListedResource: EditedResource where Key: Equatable {
    func load(_ request: ClientRequest) async throws -> [Resource]
    static func key(of stored: Resource) -> Key
    static func write(_ stored: Resource, _ json: inout JSONWriter)
}

extension ListedResource {
    func registerList(_ routes: inout Routes) throws {
        try routes.client(.get, Self.all, "\(Self.self).list", scope: .read, list)
    }

    private func list(_ request: ClientRequest) async throws -> Response {
        let all = try await load(request)
        return request.answer(list: Self.listMember, next: nil) { json in
            for stored in all { json.object { Self.write(stored, &$0) } }
        }
    }

    func find(_ key: Key, _ request: ClientRequest) async throws -> Resource {
        guard let stored = try await load(request).first(where: { Self.key(of: $0) == key }) else {
            throw Refusal.notFound
        }
        return stored
    }

    func document(_ stored: Resource, _ request: ClientRequest) -> JSONWriter {
        JSONWriter(object: { Self.write(stored, &$0) })
    }
}
