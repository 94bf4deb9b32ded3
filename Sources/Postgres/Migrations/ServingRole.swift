/// Checks that row-level security applies to the role of the server.
package enum ServingRole {
    /// Tables without row-level security, although their first column is the household. The server reads them before
    /// the household is known. Their migrations give the reasons.
    package static let globalTables = ["membership", "job", "job_turn", "household_deletion"]

    /// Returns the reasons why the connected role must not serve; empty if it may.
    package static func objections(_ connection: SynchronousConnection) throws(PostgresError) -> [String] {
        let role = try connection.query(
            """
            SELECT rolsuper, rolbypassrls, rolcreaterole, rolreplication,
                EXISTS (SELECT FROM pg_roles r WHERE r.rolsuper AND pg_has_role(current_user, r.oid, 'MEMBER')),
                EXISTS (
                    SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
                    WHERE nspname = 'public' AND relkind IN ('r', 'p') AND pg_has_role(current_user, relowner, 'MEMBER'))
            FROM pg_roles WHERE rolname = current_user
            """)
        guard
            let (isSuperuser, bypasses, makesRoles, replicates, becomesSuperuser, owns) = try role.first(
                (Bool, Bool, Bool, Bool, Bool, Bool).self)
        else { return [] }
        // A superuser has all the privileges that are checked below.
        if isSuperuser { return ["the role is a superuser"] }
        var objections: [String] = []
        if bypasses { objections.append("the role bypasses row-level security") }
        if makesRoles { objections.append("the role may create roles (CREATEROLE)") }
        if replicates { objections.append("the role may replicate, so it can read everything (REPLICATION)") }
        if becomesSuperuser { objections.append("the role is a member of a superuser") }
        if owns { objections.append("the role owns tables, or is a member of their owner") }
        let open = try connection.query(
            """
            SELECT relname::text FROM pg_class c
            JOIN pg_attribute ON attrelid = c.oid AND attnum = 1
            WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
                AND (attname = 'household_id' AND relname <> ALL (\(globalTables)) OR relname = 'household')
                AND NOT (relrowsecurity AND EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid))
            ORDER BY relname
            """
        ).decode(String.self)
        if !open.isEmpty {
            objections.append("tables without active row-level security: \(open.joined(separator: ", "))")
        }
        return objections
    }
}
