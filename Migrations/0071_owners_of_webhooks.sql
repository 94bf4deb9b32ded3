-- A person who adds a webhook receives copies of what happens in the household, even after leaving it. Therefore owners
-- see who added each webhook, and a webhook sends only while the person who added or last confirmed it is an owner.
ALTER TABLE webhook
    -- NULL: added before this migration.
    ADD COLUMN added_by uuid REFERENCES person (id),
    -- NULL: an owner has to confirm the webhook before it sends.
    ADD COLUMN confirmed_by uuid REFERENCES person (id);

-- Webhooks whose author is unknown keep sending if every person who ever changed the household is still a member.
-- A subquery with LIMIT is never planned as a join, which could read the change log of all households.
UPDATE webhook w SET confirmed_by = (
    SELECT m.person_id FROM membership m WHERE m.household_id = w.household_id AND m.role = 'owner'
    ORDER BY m.joined_at, m.person_id LIMIT 1)
WHERE (
    SELECT c.seq FROM change_log c
    WHERE c.household_id = w.household_id AND c.person_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM membership m
            WHERE m.household_id = c.household_id AND m.person_id = c.person_id)
    LIMIT 1) IS NULL;
