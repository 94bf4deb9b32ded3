/// Checks the role of the server, which row-level security must apply to.
package enum ServingRole {
    /// Returns the reasons why the connected role must not serve; empty if it may.
    package static func objections(_ connection: SynchronousConnection) throws(PostgresError) -> [String] {
        let rows = try connection.query(
            """
            SELECT rolsuper, rolbypassrls,
                EXISTS (
                    SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
                    WHERE nspname = 'public' AND relkind IN ('r', 'p') AND pg_has_role(current_user, relowner, 'MEMBER'))
            FROM pg_roles WHERE rolname = current_user
            """)
        guard let (isSuperuser, bypasses, owns) = try rows.first((Bool, Bool, Bool).self) else { return [] }
        var objections: [String] = []
        if isSuperuser { objections.append("the role is a superuser") }
        if bypasses { objections.append("the role bypasses row-level security") }
        // A superuser is a member of every role.
        if owns, !isSuperuser { objections.append("the role owns tables, or is a member of their owner") }
        return objections
    }
}
