import CProcess

/// How strictly the kernel confines the reader.
enum ReaderConfinement {
    /// The risk that remains without Landlock; nil on kernels with Landlock.
    static var problem: String? {
        landlock_version() > 0
            ? nil
            : "this kernel has no Landlock: a hostile picture that takes the reader over could read all files of its user"
    }
}
