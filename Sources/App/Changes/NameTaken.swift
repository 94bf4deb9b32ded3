/// Another document of the household already has the typed name.
struct NameTaken: Error {}
