import Glibc

/// Binds a page again after a template or text has changed. In development only, because every rendering checks the
/// times of all files.
final class Reload<Bound: Sendable>: @unchecked Sendable {
    // Safe to share: `mutex` guards the mutable state. The mutex is allocated, so it never moves in memory.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var fingerprint: [String]
    private var bound: Result<Bound, TemplateError>

    private let folders: SourceFolders
    private let bind: @Sendable (TemplateSources) throws(TemplateError) -> Bound

    init(
        _ folders: SourceFolders, bound: Bound,
        bind: @escaping @Sendable (TemplateSources) throws(TemplateError) -> Bound
    ) {
        self.folders = folders
        self.bind = bind
        self.bound = .success(bound)
        fingerprint = folders.fingerprint()
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Returns the bound page for the current files.
    func current() -> Result<Bound, TemplateError> {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let now = folders.fingerprint()
        guard now != fingerprint else { return bound }
        fingerprint = now
        do throws(TemplateError) {
            bound = .success(try bind(try TemplateSources(folders)))
        } catch {
            bound = .failure(error)
        }
        return bound
    }
}
