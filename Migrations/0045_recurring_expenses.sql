-- Expenses that come back. Nothing is booked by them: they say what is expected.

CREATE TABLE recurring_expense (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL COLLATE "de-x-icu",
    -- By which payments are found: the payee_key of expenses.
    payee_key text NOT NULL,
    category_id uuid,
    -- How often.
    repeats text NOT NULL,
    -- For months, quarters and years.
    month_day smallint NOT NULL,
    -- What is expected, in minor units of the household's currency.
    amount_minor bigint NOT NULL,
    -- Percent by which a payment may differ without being reported.
    tolerance smallint NOT NULL DEFAULT 0,
    -- The first expected day, while there is no payment.
    starts_on date NOT NULL,
    -- A dismissed proposal is not proposed again.
    is_dismissed boolean NOT NULL DEFAULT false,
    person_id uuid NOT NULL REFERENCES person (id),
    -- Visible to person_id alone.
    is_personal boolean NOT NULL DEFAULT false,
    revision bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT recurring_expense_category_fkey FOREIGN KEY (household_id, category_id)
        REFERENCES category (household_id, id),
    CONSTRAINT recurring_expense_name_check CHECK (length(name) BETWEEN 1 AND 120),
    CONSTRAINT recurring_expense_payee_check CHECK (length(payee_key) BETWEEN 1 AND 80),
    CONSTRAINT recurring_expense_repeats_check CHECK (repeats IN ('week', 'month', 'quarter', 'year')),
    CONSTRAINT recurring_expense_day_check CHECK (month_day BETWEEN 1 AND 31),
    CONSTRAINT recurring_expense_amount_check CHECK (amount_minor BETWEEN 1 AND 100000000000),
    CONSTRAINT recurring_expense_tolerance_check CHECK (tolerance BETWEEN 0 AND 50)
);
CREATE INDEX recurring_expense_category_idx ON recurring_expense (household_id, category_id);

ALTER TABLE recurring_expense ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON recurring_expense USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON recurring_expense TO allesteurer_app;
