import CProcess

/// How strictly the kernel confines the reader.
enum ReaderConfinement {
    /// The risk of running the reader on a kernel without Landlock; nil if the kernel has Landlock.
    static var problem: String? {
        landlock_version() > 0
            ? nil
            : "this kernel has no Landlock: a malicious picture could make the reader read all files of its user"
    }
}
