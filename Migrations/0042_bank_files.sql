-- Files of banks: what was imported, so that no booking is imported twice and an import can be undone.

CREATE TABLE bank_import (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    -- The only person who sees the file and its bookings.
    person_id uuid NOT NULL REFERENCES person (id),
    -- Shown, never used as a path.
    name text NOT NULL,
    format text NOT NULL,
    -- The expenses made of it are visible to person_id alone.
    is_personal boolean NOT NULL DEFAULT false,
    -- The file until it is confirmed or discarded, a day at most.
    content text,
    created_at timestamptz NOT NULL DEFAULT now(),
    confirmed_at timestamptz,
    PRIMARY KEY (household_id, id),
    CONSTRAINT bank_import_name_check CHECK (length(name) <= 200),
    CONSTRAINT bank_import_format_check CHECK (format IN ('csv', 'camt', 'mt940')),
    CONSTRAINT bank_import_content_check CHECK ((content IS NULL) = (confirmed_at IS NOT NULL)
        AND octet_length(content) <= 5242880)
);
CREATE INDEX bank_import_person_idx ON bank_import (household_id, person_id, created_at DESC);

CREATE TABLE bank_booking (
    household_id uuid NOT NULL,
    id uuid NOT NULL,
    import_id uuid NOT NULL,
    -- SHA-256 of what makes the booking unmistakable: the bank's reference or its content, and its number among equal ones.
    source_key text NOT NULL,
    day date NOT NULL,
    -- Negative when money left the account.
    amount_minor bigint NOT NULL,
    currency text NOT NULL,
    payee text NOT NULL DEFAULT '',
    purpose text NOT NULL DEFAULT '',
    -- What it is: an expense, or a receipt. Not a foreign key: the booking stays known when the expense is deleted.
    expense_id uuid,
    receipt_id uuid,
    -- The expense was made of the booking; else it was there before.
    is_made boolean NOT NULL,
    -- The booking gave the expense its amount in the household's currency.
    has_stated boolean NOT NULL DEFAULT false,
    PRIMARY KEY (household_id, id),
    CONSTRAINT bank_booking_import_fkey FOREIGN KEY (household_id, import_id)
        REFERENCES bank_import (household_id, id) ON DELETE CASCADE,
    CONSTRAINT bank_booking_source_key UNIQUE (household_id, source_key),
    CONSTRAINT bank_booking_text_check CHECK (length(payee) <= 1000 AND length(purpose) <= 1000
        AND length(source_key) <= 64),
    CONSTRAINT bank_booking_amount_check CHECK (amount_minor BETWEEN -100000000000 AND 100000000000),
    CONSTRAINT bank_booking_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT bank_booking_target_check CHECK ((expense_id IS NULL) <> (receipt_id IS NULL))
);
CREATE INDEX bank_booking_import_idx ON bank_booking (household_id, import_id);
CREATE INDEX bank_booking_expense_idx ON bank_booking (household_id, expense_id) WHERE expense_id IS NOT NULL;
CREATE INDEX bank_booking_receipt_idx ON bank_booking (household_id, receipt_id) WHERE receipt_id IS NOT NULL;

-- What the columns of a bank's table mean, by its head, when a person had to say it.
CREATE TABLE bank_columns (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    -- SHA-256 of the folded names of the columns.
    source_key text NOT NULL,
    -- One role for each column.
    roles text[] NOT NULL,
    PRIMARY KEY (household_id, source_key),
    CONSTRAINT bank_columns_source_check CHECK (length(source_key) <= 64),
    CONSTRAINT bank_columns_roles_check CHECK (cardinality(roles) BETWEEN 2 AND 64)
);

ALTER TABLE bank_import ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bank_import USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE bank_booking ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bank_booking USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE bank_columns ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bank_columns USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON bank_import, bank_booking, bank_columns TO allesteurer_app;
