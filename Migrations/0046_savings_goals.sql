-- What a household wants to put aside until a day, and what it put aside.

CREATE TABLE savings_goal (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL COLLATE "de-x-icu",
    -- In minor units of the household's currency.
    target_minor bigint NOT NULL,
    starts_on date NOT NULL,
    until date NOT NULL,
    revision bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT savings_goal_household_name_key UNIQUE (household_id, name),
    CONSTRAINT savings_goal_name_check CHECK (length(name) BETWEEN 1 AND 80),
    CONSTRAINT savings_goal_target_check CHECK (target_minor BETWEEN 1 AND 100000000000),
    CONSTRAINT savings_goal_until_check CHECK (until >= starts_on)
);

CREATE TABLE savings_deposit (
    household_id uuid NOT NULL,
    id uuid NOT NULL,
    goal_id uuid NOT NULL,
    day date NOT NULL,
    -- Negative for what was taken out.
    amount_minor bigint NOT NULL,
    person_id uuid REFERENCES person (id),
    PRIMARY KEY (household_id, id),
    CONSTRAINT savings_deposit_goal_fkey FOREIGN KEY (household_id, goal_id)
        REFERENCES savings_goal (household_id, id) ON DELETE CASCADE,
    CONSTRAINT savings_deposit_amount_check CHECK (amount_minor <> 0
        AND amount_minor BETWEEN -100000000000 AND 100000000000)
);
CREATE INDEX savings_deposit_goal_idx ON savings_deposit (household_id, goal_id, day DESC);

ALTER TABLE savings_goal ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON savings_goal USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE savings_deposit ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON savings_deposit USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON savings_goal, savings_deposit TO allesteurer_app;
