/// Calls `body` with an array of C strings that ends with a null pointer, as libpq expects.
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
            // The address is not nil, because the array contains at least the null pointer at its end.
            body(pointers.baseAddress!)
        }
    }
}
