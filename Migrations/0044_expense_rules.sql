-- Rules of the household's own: which category and labels an expense gets, and for whom it was.

-- Who decided the category. Only what a person chose is learned; a rule does not change it.
ALTER TABLE expense ADD COLUMN category_source text NOT NULL DEFAULT '';
ALTER TABLE expense ADD CONSTRAINT expense_category_source_check
    CHECK (category_source IN ('', 'person', 'rule', 'suggested'));

CREATE TABLE expense_rule (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    -- The first rule that matches decides.
    position integer NOT NULL,
    -- Words that the text or the payee contain.
    contains text NOT NULL DEFAULT '',
    -- In minor units of the household's currency; NULL for no limit.
    least_minor bigint,
    most_minor bigint,
    -- NULL: the category stays.
    category_id uuid,
    labels text[] NOT NULL DEFAULT '{}',
    -- The members between whom the expense is split equally; empty: it is not split.
    people uuid[] NOT NULL DEFAULT '{}',
    revision bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT expense_rule_category_fkey FOREIGN KEY (household_id, category_id) REFERENCES category (household_id, id),
    CONSTRAINT expense_rule_contains_check CHECK (length(contains) <= 80),
    CONSTRAINT expense_rule_amount_check CHECK (least_minor >= 0 AND least_minor <= 100000000000
        AND most_minor BETWEEN 0 AND 100000000000),
    CONSTRAINT expense_rule_condition_check CHECK (contains <> '' OR least_minor IS NOT NULL OR most_minor IS NOT NULL),
    CONSTRAINT expense_rule_outcome_check CHECK (category_id IS NOT NULL OR cardinality(labels) > 0
        OR cardinality(people) > 0),
    CONSTRAINT expense_rule_lists_check CHECK (cardinality(labels) <= 20 AND length(array_to_string(labels, ' ')) <= 600
        AND cardinality(people) <= 50)
);
CREATE INDEX expense_rule_category_idx ON expense_rule (household_id, category_id);

-- One application of a rule to earlier expenses.
CREATE TABLE expense_rule_run (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    -- The rule may be deleted by now.
    rule_id uuid NOT NULL,
    -- The words of its condition.
    name text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT expense_rule_run_name_check CHECK (length(name) <= 200)
);

-- What it changed, to undo it.
CREATE TABLE expense_rule_change (
    household_id uuid NOT NULL,
    run_id uuid NOT NULL,
    expense_id uuid NOT NULL,
    -- Whether the category was changed, and what it was before.
    sets_category boolean NOT NULL,
    category_before uuid,
    source_before text NOT NULL,
    category_after uuid,
    labels_added text[] NOT NULL,
    was_split boolean NOT NULL,
    PRIMARY KEY (household_id, run_id, expense_id),
    CONSTRAINT expense_rule_change_run_fkey FOREIGN KEY (household_id, run_id)
        REFERENCES expense_rule_run (household_id, id) ON DELETE CASCADE,
    CONSTRAINT expense_rule_change_expense_fkey FOREIGN KEY (household_id, expense_id)
        REFERENCES expense (household_id, id) ON DELETE CASCADE
);
CREATE INDEX expense_rule_change_expense_idx ON expense_rule_change (household_id, expense_id);

ALTER TABLE expense_rule ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON expense_rule USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE expense_rule_run ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON expense_rule_run USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE expense_rule_change ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON expense_rule_change USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON expense_rule, expense_rule_run, expense_rule_change TO allesteurer_app;
