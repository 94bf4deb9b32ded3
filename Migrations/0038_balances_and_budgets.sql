-- Who owes whom, and what the household wants to spend at most.

-- A payment between two members.
CREATE TABLE settlement (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    from_person uuid NOT NULL REFERENCES person (id),
    to_person uuid NOT NULL REFERENCES person (id),
    amount_minor bigint NOT NULL,
    currency text NOT NULL,
    day date NOT NULL,
    note text NOT NULL DEFAULT '',
    revision bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Set while deleted; deleting can be undone.
    discarded_at timestamptz,
    PRIMARY KEY (household_id, id),
    CONSTRAINT settlement_persons_check CHECK (from_person <> to_person),
    CONSTRAINT settlement_amount_check CHECK (amount_minor BETWEEN 1 AND 100000000000),
    CONSTRAINT settlement_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT settlement_note_check CHECK (length(note) <= 2000)
);
CREATE INDEX settlement_day_idx ON settlement (household_id, day DESC, id DESC) WHERE discarded_at IS NULL;

-- What each member paid more than their share, by month and currency, settlements included; negative for what is owed. A
-- balance is the sum over the months. The transaction that changes a split expense, a receipt with one or a settlement
-- recomputes its months.
CREATE TABLE balance_month (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    month date NOT NULL,
    person_id uuid NOT NULL REFERENCES person (id),
    currency text NOT NULL,
    amount_minor bigint NOT NULL,
    PRIMARY KEY (household_id, month, person_id, currency),
    CONSTRAINT balance_month_day_check CHECK (extract(day FROM month) = 1)
);

CREATE TABLE budget (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL COLLATE "de-x-icu",
    -- NULL: all spending.
    category_id uuid,
    -- NULL: of the whole household; else what this member paid.
    person_id uuid REFERENCES person (id),
    period text NOT NULL DEFAULT 'month',
    -- For months: the day on which they begin, such as the day of the salary.
    start_day smallint NOT NULL DEFAULT 1,
    -- What a period leaves is added to the next one, and what it overspends is taken from it.
    rolls_over boolean NOT NULL DEFAULT false,
    -- The first day of the first period.
    starts_on date NOT NULL,
    revision bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT budget_category_fkey FOREIGN KEY (household_id, category_id) REFERENCES category (household_id, id),
    CONSTRAINT budget_household_name_key UNIQUE (household_id, name),
    CONSTRAINT budget_name_check CHECK (length(name) BETWEEN 1 AND 80),
    CONSTRAINT budget_period_check CHECK (period IN ('week', 'month', 'year')),
    CONSTRAINT budget_start_day_check CHECK (start_day BETWEEN 1 AND 28)
);
CREATE INDEX budget_category_idx ON budget (household_id, category_id);

-- The limit from a day on: a change holds from its period on, earlier periods keep theirs.
CREATE TABLE budget_limit (
    household_id uuid NOT NULL,
    budget_id uuid NOT NULL,
    valid_from date NOT NULL,
    -- In the household's currency.
    limit_minor bigint NOT NULL,
    PRIMARY KEY (household_id, budget_id, valid_from),
    CONSTRAINT budget_limit_budget_fkey FOREIGN KEY (household_id, budget_id)
        REFERENCES budget (household_id, id) ON DELETE CASCADE,
    CONSTRAINT budget_limit_amount_check CHECK (limit_minor BETWEEN 1 AND 100000000000)
);

ALTER TABLE settlement ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON settlement USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE balance_month ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON balance_month USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE budget ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON budget USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE budget_limit ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON budget_limit USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON settlement, balance_month, budget, budget_limit TO allesteurer_app;
