-- Sums of expense_day by month, for budgets of months and years: a budget that rolls over for ten years reads a few rows of
-- each month. Written by the transaction that recomputes the days.

CREATE TABLE expense_month (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    month date NOT NULL,
    seen_by uuid NOT NULL,
    flow text NOT NULL,
    category_id uuid NOT NULL,
    paid_by uuid NOT NULL,
    amount_minor bigint NOT NULL,
    PRIMARY KEY (household_id, flow, category_id, month, seen_by, paid_by),
    CONSTRAINT expense_month_day_check CHECK (extract(day FROM month) = 1)
) WITH (fillfactor = 90);
CREATE INDEX expense_month_sums_idx ON expense_month (household_id, month)
    INCLUDE (seen_by, flow, category_id, paid_by, amount_minor);
-- A budget of one category with months that begin on another day, or of weeks.
CREATE INDEX expense_day_category_idx ON expense_day (household_id, category_id, day)
    INCLUDE (seen_by, flow, paid_by, amount_minor);

-- The labels that were used last, for the filter of the list.
CREATE INDEX expense_labels_idx ON expense (household_id, day DESC) WHERE discarded_at IS NULL AND labels <> '{}';

ALTER TABLE expense_month ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON expense_month USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON expense_month TO allesteurer_app;

INSERT INTO expense_month (household_id, month, seen_by, flow, category_id, paid_by, amount_minor)
SELECT d.household_id, date_trunc('month', d.day)::date, d.seen_by, d.flow, d.category_id, d.paid_by, sum(d.amount_minor)
FROM expense_day d GROUP BY 1, 2, 3, 4, 5, 6;
