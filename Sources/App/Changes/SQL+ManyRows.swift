import Postgres

extension SQL {
    /// Makes the rest of the transaction fit for statements over many rows that the planner has no statistics of.
    ///
    /// It expects one row and would scan whole tables once per row; hash joins do not depend on that estimate. The penalty on
    /// unavoidable nested loops must not start JIT compilation. Plans that the connection kept are not used.
    static let planForManyRows: SQL = """
        SELECT set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true),
            set_config('plan_cache_mode', 'force_custom_plan', true)
        """
}
