import Domain
import HTTP
import JSON

/// Writes documents in CouchDB's format.
enum CouchDocumentWriter {
    struct Options {
        /// `_revisions`: the hashes of the revision and its ancestors.
        var withRevisions = false
        /// `_revs_info`: the revision and its ancestors, each with its status: available, missing or deleted.
        var withInfo = false
        /// `_conflicts`: the leaves of the revision tree, except the winner and deleted leaves.
        var withConflicts = false
        /// Whether the document contains the contents of its attachments, not only stubs.
        var withData = false

        init() {}

        /// Reads the options from the query string.
        init(_ head: RequestHead) {
            func isTrue(_ name: String) -> Bool { head.query(name) == "true" }
            withRevisions = isTrue("revs")
            withInfo = isTrue("revs_info")
            withConflicts = isTrue("conflicts")
            withData = isTrue("attachments")
        }
    }

    /// Writes a revision as a JSON object.
    ///
    /// - Parameters:
    ///   - files: the stored contents of attachments, by name. Marks are written for these attachments
    ///     (`InlineContents`), and stubs for all others.
    ///   - following: the names of the attachments whose contents are sent after the document. They get `"follows":
    ///     true`.
    static func write(
        _ stored: StoredRevision, of document: DocumentRevisions, _ options: Options, files: [String: BlobID] = [:],
        following: Set<String> = [], into json: inout JSONWriter
    ) {
        let path = options.withRevisions || options.withInfo ? document.path(from: stored.revision) : []
        json.object(splicing: stored.body) { json in
            json.member("_id", stored.key.description)
            json.member("_rev", stored.revision.description)
            if stored.isDeleted { json.member("_deleted", true) }
            if options.withRevisions {
                json.object("_revisions") { json in
                    json.member("start", stored.revision.generation)
                    json.array("ids") { json in for revision in path { json.value(revision.hash) } }
                }
            }
            if options.withInfo {
                json.array("_revs_info") { json in
                    for revision in path { write(info: revision, document.revisions[revision], &json) }
                }
            }
            if options.withConflicts {
                let others = document.leaves.dropFirst().filter { document.revisions[$0]?.isDeleted == false }
                if !others.isEmpty {
                    json.array("_conflicts") { json in for revision in others { json.value(revision.description) } }
                }
            }
            if let attachments = stored.attachments, !attachments.isEmpty {
                json.object("_attachments") { json in
                    for attachment in attachments {
                        write(
                            attachment, stored.revision, files[attachment.name],
                            follows: following.contains(attachment.name), &json)
                    }
                }
            }
        }
    }

    private static func write(info revision: RevisionID, _ stored: StoredRevision?, _ json: inout JSONWriter) {
        json.object { json in
            json.member("rev", revision.description)
            json.member(
                "status", stored?.isDeleted == true ? "deleted" : stored?.hasBody == true ? "available" : "missing")
        }
    }

    private static func write(
        _ attachment: JSONObject.Member, _ revision: RevisionID, _ blob: BlobID?, follows: Bool,
        _ json: inout JSONWriter
    ) {
        json.object(attachment.name) { json in
            json.member("content_type", attachment.value["content_type"]?.string ?? "application/octet-stream")
            json.member("revpos", attachment.value["revpos"]?.integer ?? revision.generation)
            json.member("digest", attachment.value["digest"]?.string ?? "")
            if let blob {
                json.member("data", InlineContents.mark(blob))
            } else {
                json.member("length", attachment.value["length"]?.integer ?? 0)
                json.member(follows ? "follows" : "stub", true)
            }
        }
    }

    /// Returns the body of an error response: `{"error","reason"}`.
    static func error(_ error: String, _ reason: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("error", error)
            json.member("reason", reason)
        }
        return json.bytes
    }
}
