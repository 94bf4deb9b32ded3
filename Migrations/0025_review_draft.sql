-- What a person typed into a review form and did not send yet, so that a closed page loses nothing. At most one form for each
-- person and receipt. Sending the form deletes it.
CREATE TABLE review_draft (
    household_id uuid NOT NULL,
    receipt_id uuid NOT NULL,
    person_id uuid NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    -- Fields and values, URL-encoded, without the token.
    form text NOT NULL,
    saved_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, receipt_id, person_id),
    CONSTRAINT review_draft_receipt_fkey FOREIGN KEY (household_id, receipt_id)
        REFERENCES receipt (household_id, id) ON DELETE CASCADE,
    CONSTRAINT review_draft_form_check CHECK (octet_length(form) <= 2097152)
);
ALTER TABLE review_draft ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON review_draft USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON review_draft TO allesteurer_app;
CREATE INDEX review_draft_person_idx ON review_draft (person_id);
