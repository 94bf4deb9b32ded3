/// Calls `body` with C strings, terminated by a null pointer.
func withCStrings<Value>(_ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value) -> Value {
    var bytes: [CChar] = []
    var offsets: [Int] = []
    for string in strings {
        offsets.append(bytes.count)
        bytes.append(contentsOf: string.utf8CString)
    }
    return bytes.withUnsafeBufferPointer { buffer in
        var pointers = offsets.map { buffer.baseAddress?.advanced(by: $0) }
        pointers.append(nil)
        return pointers.withUnsafeBufferPointer { pointers in
            // Not empty: the terminating nil was appended above.
            body(pointers.baseAddress!)
        }
    }
}
