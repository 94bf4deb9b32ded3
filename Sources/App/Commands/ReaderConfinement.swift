import CProcess

/// How well the kernel confines the reader.
enum ReaderConfinement {
    /// Why a defect in a decoder could read more files than necessary; nil on kernels with Landlock.
    static var problem: String? {
        landlock_version() > 0
            ? nil
            : "this kernel has no Landlock: a hostile picture that takes the reader over could read all files of its user"
    }
}
