-- Undoing a run of a rule keeps a split that somebody changed since.
ALTER TABLE expense_rule_run
    -- The members between whom the run split expenses; NULL for runs before this column existed.
    ADD COLUMN people uuid[];
