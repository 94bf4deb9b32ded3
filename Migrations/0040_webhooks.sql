-- Addresses that are told what happens in a household, and what was or will be sent to them.

CREATE TABLE webhook (
    household_id uuid NOT NULL REFERENCES household (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    -- For price.rose: the least rise in per cent.
    price_percent integer NOT NULL DEFAULT 10,
    -- Signs what is sent, so it cannot be stored as a hash.
    secret text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (household_id, id),
    CONSTRAINT webhook_url_check CHECK (length(url) BETWEEN 8 AND 2000),
    CONSTRAINT webhook_events_check CHECK (events <@ ARRAY['receipt.read', 'receipt.confirmed', 'price.rose']
        AND cardinality(events) BETWEEN 1 AND 3),
    CONSTRAINT webhook_percent_check CHECK (price_percent BETWEEN 1 AND 1000)
);

-- Written by the transaction that made the change; sent by a job.
CREATE TABLE webhook_delivery (
    household_id uuid NOT NULL,
    id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    event text NOT NULL,
    -- What happened, once: a receipt with its revision, or a line with a price.
    subject text NOT NULL,
    -- As it is sent and signed.
    body text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    tried_at timestamptz,
    -- Of the last answer; NULL without one.
    status integer,
    -- Why the last attempt got no answer.
    error text,
    delivered_at timestamptz,
    -- Set when no further attempt will be made by itself.
    dead_at timestamptz,
    PRIMARY KEY (household_id, id),
    CONSTRAINT webhook_delivery_webhook_fkey FOREIGN KEY (household_id, webhook_id)
        REFERENCES webhook (household_id, id) ON DELETE CASCADE,
    CONSTRAINT webhook_delivery_subject_key UNIQUE (household_id, webhook_id, event, subject),
    CONSTRAINT webhook_delivery_body_check CHECK (length(body) <= 4000)
);
CREATE INDEX webhook_delivery_created_idx ON webhook_delivery (household_id, webhook_id, created_at DESC, id DESC);

ALTER TABLE webhook ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON webhook USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
ALTER TABLE webhook_delivery ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON webhook_delivery USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook, webhook_delivery TO allesteurer_app;

-- deliver: send a webhook's delivery.
ALTER TABLE job DROP CONSTRAINT job_kind_check;
ALTER TABLE job ADD CONSTRAINT job_kind_check CHECK (kind IN ('read', 'deliver'));
