import Postgres

extension SQL {
    /// Planner settings for the rest of the transaction, for statements over many rows of tables without statistics.
    ///
    /// Without statistics the planner expects one row, and would scan whole tables once per row; hash joins do not
    /// depend on that estimate. JIT compilation is off, because the high estimated cost of an unavoidable nested loop
    /// would enable it. Cached plans of the connection are not used, because they were made without these settings.
    static let planForManyRows: SQL = """
        SELECT set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true),
            set_config('plan_cache_mode', 'force_custom_plan', true)
        """
}
