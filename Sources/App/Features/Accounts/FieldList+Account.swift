import Templates

extension FieldList {
    /// Adds the fields of the partial `forms/account` and the problem above it.
    mutating func account(
        _ form: @escaping @Sendable (Model) -> AccountForm, _ problem: @escaping @Sendable (Model) -> Problem?
    ) {
        text("name") { form($0).name }
        text("email") { form($0).email }
        model("errors") { form($0).errors }
        optional("problem", problem)
    }
}
