-- Receipts and expenses that were entered after the import of a bank file, and the expenses that the import created for
-- the same payments.

-- The table that can be large comes first. The foreign keys of bank_pair lock expense and receipt until the end of the
-- migration, and then do not wait for the index.
ALTER TABLE bank_booking
    -- The amount in the currency of the payment, with the sign of amount_minor; NULL if that is the currency of the
    -- account, and in rows of earlier versions.
    ADD COLUMN original_minor bigint,
    ADD COLUMN original_currency text,
    ADD CONSTRAINT bank_booking_original_check CHECK ((original_minor IS NULL) = (original_currency IS NULL)
        AND original_minor BETWEEN -100000000000 AND 100000000000 AND original_currency ~ '^[A-Z]{3}$'),
    -- Two members can import the same line, because no member learns of the lines of another member's personal expenses.
    DROP CONSTRAINT bank_booking_source_key,
    ADD CONSTRAINT bank_booking_source_key UNIQUE (household_id, source_key, account, import_id);

-- The lines for which imports have created expenses.
CREATE INDEX bank_booking_made_idx ON bank_booking (household_id, day) WHERE is_made;

-- A person's decision about an expense that an import created, and a receipt or another expense of the same amount.
CREATE TABLE bank_pair (
    household_id uuid NOT NULL,
    id uuid NOT NULL,
    -- The expense that the import created.
    expense_id uuid NOT NULL,
    -- The receipt or the other expense.
    receipt_id uuid,
    other_id uuid,
    -- Whether both are one payment. The expense of the import is then marked as deleted.
    is_same boolean NOT NULL,
    -- The lines that were linked with the expense of the import and now with the other entry. The line that created the
    -- expense is the first.
    booking_ids uuid[] NOT NULL DEFAULT '{}',
    decided_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT bank_pair_expense_fkey FOREIGN KEY (household_id, expense_id)
        REFERENCES expense (household_id, id) ON DELETE CASCADE,
    CONSTRAINT bank_pair_receipt_fkey FOREIGN KEY (household_id, receipt_id)
        REFERENCES receipt (household_id, id) ON DELETE CASCADE,
    CONSTRAINT bank_pair_other_fkey FOREIGN KEY (household_id, other_id)
        REFERENCES expense (household_id, id) ON DELETE CASCADE,
    CONSTRAINT bank_pair_receipt_key UNIQUE (household_id, expense_id, receipt_id),
    CONSTRAINT bank_pair_other_key UNIQUE (household_id, expense_id, other_id),
    CONSTRAINT bank_pair_target_check CHECK ((receipt_id IS NULL) <> (other_id IS NULL))
);
CREATE INDEX bank_pair_receipt_idx ON bank_pair (household_id, receipt_id);
CREATE INDEX bank_pair_other_idx ON bank_pair (household_id, other_id);

ALTER TABLE bank_pair ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bank_pair USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON bank_pair TO allesteurer_app;
