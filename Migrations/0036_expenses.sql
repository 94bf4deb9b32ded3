-- Expenses: what a household spends beside its receipts, and what a receipt does not say about itself.
--
-- A confirmed receipt is an expense without a row here. It gets one when somebody sets what the receipt does not have: who
-- paid, for whom, labels, a category for what its lines do not cover. Such a row names the receipt and has no amount, no
-- date and no payee of its own, so nothing has to be kept equal.

CREATE TABLE expense (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    -- The receipt that this row completes; NULL for an expense without paper.
    receipt_id uuid,
    -- expense and refund are spending (a refund counts against it); income and withdrawal are not.
    kind text NOT NULL DEFAULT 'expense',
    -- What was paid for, as typed.
    what text NOT NULL DEFAULT '' COLLATE "de-x-icu",
    -- At least 0 minor units of `currency`; the kind gives the sign.
    amount_minor bigint,
    currency text,
    -- The amount in the household's currency as a card slip or a bank states it; NULL: by the rate of the day.
    stated_minor bigint,
    stated_currency text,
    day date,
    -- When the money left the account, if that is another day.
    paid_on date,
    -- Who got the money, and the normalised name by which sums are kept.
    payee text NOT NULL DEFAULT '',
    payee_key text NOT NULL DEFAULT '',
    category_id uuid,
    note text NOT NULL DEFAULT '',
    labels text[] NOT NULL DEFAULT '{}',
    -- Who typed or imported it.
    person_id uuid REFERENCES person (id),
    -- The member who paid; NULL when it is not known.
    paid_by uuid REFERENCES person (id),
    -- Visible to person_id alone.
    is_personal boolean NOT NULL DEFAULT false,
    -- How it was split; empty: it is the household's. The shares are the rows of expense_share.
    split text NOT NULL DEFAULT '',
    source text NOT NULL DEFAULT 'manual',
    -- What makes a line of a bank's file unmistakable, so that no line is imported twice.
    source_key text,
    revision bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    -- Set while deleted; deleting can be undone.
    discarded_at timestamptz,
    PRIMARY KEY (household_id, id),
    CONSTRAINT expense_receipt_fkey FOREIGN KEY (household_id, receipt_id)
        REFERENCES receipt (household_id, id) ON DELETE CASCADE,
    CONSTRAINT expense_category_fkey FOREIGN KEY (household_id, category_id) REFERENCES category (household_id, id),
    CONSTRAINT expense_receipt_key UNIQUE (household_id, receipt_id),
    CONSTRAINT expense_source_key UNIQUE (household_id, source_key),
    CONSTRAINT expense_kind_check CHECK (kind IN ('expense', 'refund', 'income', 'withdrawal')),
    CONSTRAINT expense_what_check CHECK (length(what) <= 120),
    CONSTRAINT expense_payee_check CHECK (length(payee) <= 80 AND length(payee_key) <= 80),
    CONSTRAINT expense_note_check CHECK (length(note) <= 2000),
    CONSTRAINT expense_amount_check CHECK (amount_minor BETWEEN 0 AND 100000000000),
    CONSTRAINT expense_stated_check CHECK ((stated_minor IS NULL) = (stated_currency IS NULL)
        AND stated_minor BETWEEN 0 AND 100000000000),
    CONSTRAINT expense_currency_check CHECK (currency ~ '^[A-Z]{3}$' AND stated_currency ~ '^[A-Z]{3}$'),
    CONSTRAINT expense_labels_check CHECK (cardinality(labels) <= 20 AND length(array_to_string(labels, ' ')) <= 600),
    CONSTRAINT expense_split_check CHECK (split IN ('', 'equal', 'shares', 'percent', 'exact', 'lines')),
    CONSTRAINT expense_source_check CHECK (source IN ('manual', 'bank', 'import', 'recurring', 'demo')),
    CONSTRAINT expense_source_text_check CHECK (length(source_key) <= 200),
    -- A receipt's row has no facts of its own; any other row has all of them.
    CONSTRAINT expense_facts_check CHECK (CASE WHEN receipt_id IS NULL
        THEN amount_minor IS NOT NULL AND currency IS NOT NULL AND day IS NOT NULL AND what <> ''
        ELSE amount_minor IS NULL AND currency IS NULL AND day IS NULL AND what = '' AND NOT is_personal END)
);
CREATE INDEX expense_day_idx ON expense (household_id, day DESC, id DESC) WHERE discarded_at IS NULL AND receipt_id IS NULL;
CREATE INDEX expense_discarded_idx ON expense (household_id, discarded_at) WHERE discarded_at IS NOT NULL;
CREATE INDEX expense_category_idx ON expense (household_id, category_id);
-- What was typed before, for suggestions.
CREATE INDEX expense_payee_idx ON expense (household_id, payee_key, day DESC) WHERE receipt_id IS NULL;

-- For whom an expense was: the amount is divided in proportion to the weights, without losing a minor unit.
CREATE TABLE expense_share (
    household_id uuid NOT NULL,
    expense_id uuid NOT NULL,
    person_id uuid NOT NULL REFERENCES person (id),
    weight bigint NOT NULL,
    PRIMARY KEY (household_id, expense_id, person_id),
    CONSTRAINT expense_share_expense_fkey FOREIGN KEY (household_id, expense_id)
        REFERENCES expense (household_id, id) ON DELETE CASCADE,
    CONSTRAINT expense_share_weight_check CHECK (weight BETWEEN 1 AND 100000000000)
);

-- What one currency was worth on a day, as typed or as read from the files of the European Central Bank. Never fetched.
CREATE TABLE exchange_rate (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    currency text NOT NULL,
    day date NOT NULL,
    -- Millionths of a unit of `currency` for one euro.
    per_euro_millionths bigint NOT NULL,
    -- Decimals of the currency's minor unit.
    digits smallint NOT NULL DEFAULT 2,
    source text NOT NULL DEFAULT 'manual',
    PRIMARY KEY (household_id, currency, day),
    CONSTRAINT exchange_rate_currency_check CHECK (currency ~ '^[A-Z]{3}$' AND currency <> 'EUR'),
    CONSTRAINT exchange_rate_rate_check CHECK (per_euro_millionths BETWEEN 1 AND 1000000000000000),
    CONSTRAINT exchange_rate_digits_check CHECK (digits BETWEEN 0 AND 4),
    CONSTRAINT exchange_rate_source_check CHECK (source IN ('manual', 'ecb'))
);

-- Sums of receipts and expenses by day, in the household's currency: what dashboards and budgets read. The transaction that
-- changes a receipt or an expense recomputes its days. The nil UUID replaces NULL in paid_by
-- and category_id.
CREATE TABLE expense_day (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    day date NOT NULL,
    -- The only person who may see it; the nil id: every member.
    seen_by uuid NOT NULL,
    -- spending, income or withdrawal.
    flow text NOT NULL,
    category_id uuid NOT NULL,
    paid_by uuid NOT NULL,
    payee_key text NOT NULL,
    amount_minor bigint NOT NULL,
    PRIMARY KEY (household_id, day, seen_by, flow, category_id, paid_by, payee_key)
) WITH (fillfactor = 90);
CREATE INDEX expense_day_sums_idx ON expense_day (household_id, day)
    INCLUDE (seen_by, flow, category_id, paid_by, payee_key, amount_minor);

ALTER TABLE expense ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON expense USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE expense_share ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON expense_share USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE exchange_rate ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON exchange_rate USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE expense_day ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON expense_day USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON expense, expense_share, exchange_rate, expense_day TO allesteurer_app;

-- Receipts that are booked already.
INSERT INTO expense_day (household_id, day, seen_by, flow, category_id, paid_by, payee_key, amount_minor)
SELECT s.household_id, s.day, '00000000-0000-0000-0000-000000000000', 'spending', s.category_id, s.paid_by, s.payee_key,
    sum(s.amount_minor)
FROM (
    SELECT r.household_id, r.purchase_day AS day, l.total_minor AS amount_minor,
        coalesce(r.person_id, '00000000-0000-0000-0000-000000000000') AS paid_by, coalesce(t.chain, '') AS payee_key,
        coalesce(l.category_id, d.category_id, bl.category_id, bd.category_id,
            CASE WHEN l.kind IN ('deposit', 'deposit_return') THEN (SELECT c.id FROM category c
                WHERE c.household_id = r.household_id AND c.key = 'deposit' ORDER BY c.id LIMIT 1) END,
            '00000000-0000-0000-0000-000000000000'::uuid) AS category_id
    FROM receipt r
    JOIN household h ON h.id = r.household_id AND h.currency = r.currency
    LEFT JOIN store t ON t.household_id = r.household_id AND t.id = r.store_id
    JOIN receipt_line l ON l.household_id = r.household_id AND l.receipt_id = r.id
    LEFT JOIN product d ON d.household_id = l.household_id AND d.id = l.product_id
    LEFT JOIN receipt_line bl ON bl.household_id = l.household_id AND bl.id = l.bound_line_id AND l.kind = 'discount'
    LEFT JOIN product bd ON bd.household_id = bl.household_id AND bd.id = bl.product_id
    WHERE r.booked_month IS NOT NULL
    UNION ALL
    SELECT r.household_id, r.purchase_day, r.total_minor - coalesce(t.total, 0),
        coalesce(r.person_id, '00000000-0000-0000-0000-000000000000'), coalesce(s.chain, ''),
        '00000000-0000-0000-0000-000000000000'::uuid
    FROM receipt r
    JOIN household h ON h.id = r.household_id AND h.currency = r.currency
    LEFT JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
    LEFT JOIN (SELECT household_id, receipt_id, sum(total_minor) AS total FROM receipt_line GROUP BY 1, 2) t
        ON t.household_id = r.household_id AND t.receipt_id = r.id
    WHERE r.booked_month IS NOT NULL AND r.total_minor <> coalesce(t.total, 0)) s
GROUP BY 1, 2, 5, 6, 7;
