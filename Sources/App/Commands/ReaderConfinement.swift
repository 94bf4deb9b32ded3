import CProcess

/// How strictly the kernel confines the reader.
enum ReaderConfinement {
    /// The risk that remains without Landlock; nil on kernels with Landlock.
    static var problem: String? {
        landlock_version() > 0
            ? nil
            : "this kernel has no Landlock: a malicious picture could make the reader read all files of its user"
    }
}
