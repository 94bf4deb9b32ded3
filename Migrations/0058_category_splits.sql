-- A category can have a default split. It is proposed when an expense of the category is split, and changes no stored
-- expense.

-- How the default split was entered; empty: none. Its shares are the rows of category_share. The other methods of splits
-- depend on an amount or on lines.
ALTER TABLE category ADD COLUMN split text NOT NULL DEFAULT '',
    ADD CONSTRAINT category_split_check CHECK (split IN ('', 'equal', 'shares', 'percent'));

CREATE TABLE category_share (
    household_id uuid NOT NULL,
    category_id uuid NOT NULL,
    person_id uuid NOT NULL REFERENCES person (id),
    weight bigint NOT NULL,
    PRIMARY KEY (household_id, category_id, person_id),
    CONSTRAINT category_share_category_fkey FOREIGN KEY (household_id, category_id)
        REFERENCES category (household_id, id) ON DELETE CASCADE,
    CONSTRAINT category_share_weight_check CHECK (weight BETWEEN 1 AND 100000000000)
);

ALTER TABLE category_share ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON category_share USING (household_id = NULLIF(current_setting('app.household', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON category_share TO allesteurer_app;

-- Documents of categories contain the default split, documents of expenses who took which line and who shares the others
-- (migration 0057). Other documents stay as they are.
CREATE OR REPLACE FUNCTION sync_body(document_type text, body jsonb, extra jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$
DECLARE
    own jsonb;
BEGIN
    CASE document_type
    WHEN 'receipt' THEN
        own := jsonb_build_object(
            'stage', body -> 'stage', 'verdict', body -> 'verdict', 'reasons', body -> 'reasons',
            'doubts', body -> 'doubts', 'discarded', body ->> 'discarded_at' IS NOT NULL,
            'store', coalesce(body ->> 'store_name', body -> 'printed_store' ->> 'name', ''),
            'store_id', 'store:' || (body ->> 'store_id'), 'day', body -> 'purchase_day',
            'time', body -> 'purchase_time', 'currency', body -> 'currency', 'total_minor', body -> 'total_minor',
            'hidden_until', body -> 'hidden_until', 'source', body -> 'source',
            'created_at', sync_instant(body ->> 'created_at'), 'confirmed_at', sync_instant(body ->> 'confirmed_at'),
            'person', 'person:' || (body ->> 'person_id'), 'duplicate_of', 'receipt:' || (body ->> 'duplicate_of'),
            'images', (SELECT coalesce(jsonb_agg('image:' || f.id ORDER BY f.n), '[]')
                FROM jsonb_array_elements_text(coalesce(body -> 'files', '[]')) WITH ORDINALITY AS f (id, n)),
            'lines', (SELECT coalesce(jsonb_agg(coalesce(extra -> 'lines' -> (l.line ->> 'id'), '{}')
                || jsonb_build_object(
                    'id', l.line -> 'id', 'kind', l.line -> 'kind', 'name', l.line -> 'printed_name',
                    'quantity_thousandths', l.line -> 'quantity_thousandths', 'unit', l.line -> 'unit',
                    'unit_price_thousandths', l.line -> 'unit_price_thousandths',
                    'total_minor', l.line -> 'total_minor', 'vat_class', l.line -> 'vat_class',
                    'vat_rate', l.line -> 'vat_rate', 'product', 'product:' || (l.line ->> 'product_id'),
                    'category', 'category:' || (l.line ->> 'category_id'), 'reduces', l.line -> 'bound_line_id',
                    'doubts', l.line -> 'doubts') ORDER BY l.n), '[]')
                FROM jsonb_array_elements(coalesce(body -> 'lines', '[]')) WITH ORDINALITY AS l (line, n)));
    WHEN 'image' THEN
        own := jsonb_build_object(
            'receipt', 'receipt:' || (body ->> 'receipt_id'), 'name', body -> 'name',
            'media_type', body -> 'media_type', 'size', body -> 'size', 'position', body -> 'position',
            'created_at', sync_instant(body ->> 'created_at'));
    WHEN 'product' THEN
        own := jsonb_build_object(
            'chain', body -> 'chain', 'name', body -> 'name', 'category', 'category:' || (body ->> 'category_id'),
            'group', 'comparison_group:' || (body ->> 'comparison_group_id'),
            'created_at', sync_instant(body ->> 'created_at'),
            'packages', (SELECT coalesce(jsonb_agg(jsonb_build_object('valid_from', k.package -> 'valid_from',
                    'amount_thousandths', k.package -> 'amount_thousandths', 'unit', k.package -> 'unit')
                    ORDER BY k.package ->> 'valid_from'), '[]')
                FROM jsonb_array_elements(coalesce(body -> 'packages', '[]')) AS k (package)));
    WHEN 'alias' THEN
        own := jsonb_build_object(
            'chain', body -> 'chain', 'printed_name', body -> 'printed_name',
            'product', 'product:' || (body ->> 'product_id'), 'created_at', sync_instant(body ->> 'created_at'));
    WHEN 'store' THEN
        own := jsonb_build_object(
            'chain', body -> 'chain', 'name', body -> 'name', 'street', body -> 'street', 'town', body -> 'town',
            'created_at', sync_instant(body ->> 'created_at'));
    WHEN 'category' THEN
        own := jsonb_build_object(
            'parent', 'category:' || (body ->> 'parent_id'), 'key', body -> 'key', 'name', body -> 'name',
            'colour', body -> 'colour', 'icon', body -> 'icon', 'position', body -> 'position');
        IF body ->> 'split' <> '' THEN
            own := own || jsonb_build_object('split', body -> 'split',
                'shares', (SELECT coalesce(jsonb_agg(jsonb_build_object('person', 'person:' || (x.share ->> 'person_id'),
                        'weight', x.share -> 'weight') ORDER BY x.share ->> 'person_id'), '[]')
                    FROM jsonb_array_elements(coalesce(body -> 'shares', '[]')) AS x (share)));
        END IF;
    WHEN 'comparison_group' THEN
        own := jsonb_build_object(
            'name', body -> 'name', 'base_unit', body -> 'base_unit', 'created_at', sync_instant(body ->> 'created_at'));
    WHEN 'ignored_name' THEN
        own := jsonb_build_object(
            'chain', body -> 'chain', 'alias_key', body -> 'alias_key',
            'created_at', sync_instant(body ->> 'created_at'));
    WHEN 'preferences' THEN
        own := jsonb_build_object('language', body -> 'language');
    WHEN 'expense' THEN
        own := jsonb_build_object(
            'receipt', 'receipt:' || (body ->> 'receipt_id'), 'kind', body -> 'kind', 'what', body -> 'what',
            'amount_minor', body -> 'amount_minor', 'currency', body -> 'currency',
            'stated_minor', body -> 'stated_minor', 'stated_currency', body -> 'stated_currency', 'day', body -> 'day',
            'paid_on', body -> 'paid_on', 'payee', body -> 'payee', 'category', 'category:' || (body ->> 'category_id'),
            'note', body -> 'note', 'labels', body -> 'labels', 'paid_by', 'person:' || (body ->> 'paid_by'),
            'is_personal', body -> 'is_personal', 'split', nullif(body ->> 'split', ''),
            'shares', (SELECT coalesce(jsonb_agg(jsonb_build_object('person', 'person:' || (x.share ->> 'person_id'),
                    'weight', x.share -> 'weight') ORDER BY x.share ->> 'person_id'), '[]')
                FROM jsonb_array_elements(coalesce(body -> 'shares', '[]')) AS x (share)),
            'discarded', body ->> 'discarded_at' IS NOT NULL, 'person', 'person:' || (body ->> 'person_id'),
            'category_source', body -> 'category_source', 'source', body -> 'source',
            'created_at', sync_instant(body ->> 'created_at'));
        IF body ->> 'split' = 'lines' AND (body ? 'taken' OR body ->> 'shared_by' <> '[]') THEN
            own := own || jsonb_build_object(
                'taken', (SELECT coalesce(jsonb_agg(jsonb_build_object('line', x.taken -> 'line_id',
                        'person', 'person:' || (x.taken ->> 'person_id')) ORDER BY x.taken ->> 'line_id'), '[]')
                    FROM jsonb_array_elements(coalesce(body -> 'taken', '[]')) AS x (taken)),
                'shared_by', (SELECT coalesce(jsonb_agg('person:' || p.id ORDER BY p.n), '[]')
                    FROM jsonb_array_elements_text(coalesce(body -> 'shared_by', '[]')) WITH ORDINALITY AS p (id, n)));
        END IF;
    WHEN 'settlement' THEN
        own := jsonb_build_object(
            'from', 'person:' || (body ->> 'from_person'), 'to', 'person:' || (body ->> 'to_person'),
            'amount_minor', body -> 'amount_minor', 'currency', body -> 'currency', 'day', body -> 'day',
            'note', body -> 'note', 'discarded', body ->> 'discarded_at' IS NOT NULL,
            'created_at', sync_instant(body ->> 'created_at'));
    WHEN 'budget' THEN
        own := jsonb_build_object(
            'name', body -> 'name', 'category', 'category:' || (body ->> 'category_id'),
            'person', 'person:' || (body ->> 'person_id'), 'period', body -> 'period', 'start_day', body -> 'start_day',
            'rolls_over', body -> 'rolls_over', 'starts_on', body -> 'starts_on',
            'limits', (SELECT coalesce(jsonb_agg(jsonb_build_object('valid_from', x.part -> 'valid_from',
                    'limit_minor', x.part -> 'limit_minor') ORDER BY x.part ->> 'valid_from'), '[]')
                FROM jsonb_array_elements(coalesce(body -> 'limits', '[]')) AS x (part)),
            'created_at', sync_instant(body ->> 'created_at'));
    WHEN 'expense_rule' THEN
        own := jsonb_build_object(
            'position', body -> 'position', 'contains', body -> 'contains', 'least_minor', body -> 'least_minor',
            'most_minor', body -> 'most_minor', 'category', 'category:' || (body ->> 'category_id'),
            'labels', body -> 'labels',
            'people', (SELECT coalesce(jsonb_agg('person:' || p.id ORDER BY p.n), '[]')
                FROM jsonb_array_elements_text(coalesce(body -> 'people', '[]')) WITH ORDINALITY AS p (id, n)),
            'created_at', sync_instant(body ->> 'created_at'));
    WHEN 'recurring_expense' THEN
        own := jsonb_build_object(
            'name', body -> 'name', 'payee_key', body -> 'payee_key',
            'category', 'category:' || (body ->> 'category_id'), 'interval', body -> 'repeats',
            'starts_on', body -> 'starts_on', 'amount_minor', body -> 'amount_minor',
            'tolerance_percent', body -> 'tolerance', 'is_personal', body -> 'is_personal',
            'dismissed', body -> 'is_dismissed', 'person', 'person:' || (body ->> 'person_id'),
            'created_at', sync_instant(body ->> 'created_at'));
    WHEN 'savings_goal' THEN
        own := jsonb_build_object(
            'name', body -> 'name', 'target_minor', body -> 'target_minor', 'starts_on', body -> 'starts_on',
            'until', body -> 'until',
            'deposits', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', x.part -> 'id', 'day', x.part -> 'day',
                    'amount_minor', x.part -> 'amount_minor', 'person', 'person:' || (x.part ->> 'person_id'))
                    ORDER BY x.part ->> 'day', x.part ->> 'id'), '[]')
                FROM jsonb_array_elements(coalesce(body -> 'deposits', '[]')) AS x (part)),
            'created_at', sync_instant(body ->> 'created_at'));
    WHEN 'exchange_rate' THEN
        own := jsonb_build_object(
            'currency', body -> 'currency', 'day', body -> 'day', 'per_euro_millionths', body -> 'per_euro_millionths',
            'source', body -> 'source');
    WHEN 'bank_file' THEN
        own := jsonb_build_object(
            'name', body -> 'name', 'format', body -> 'format', 'is_personal', body -> 'is_personal',
            'person', 'person:' || (body ->> 'person_id'), 'confirmed_at', sync_instant(body ->> 'confirmed_at'),
            'created_at', sync_instant(body ->> 'created_at'),
            'bookings', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', x.part -> 'id', 'day', x.part -> 'day',
                    'amount_minor', x.part -> 'amount_minor', 'currency', x.part -> 'currency', 'payee', x.part -> 'payee',
                    'purpose', x.part -> 'purpose', 'expense', 'expense:' || (x.part ->> 'expense_id'),
                    'receipt', 'receipt:' || (x.part ->> 'receipt_id'), 'is_made', x.part -> 'is_made')
                    ORDER BY x.part ->> 'day', x.part ->> 'id'), '[]')
                FROM jsonb_array_elements(coalesce(body -> 'bookings', '[]')) AS x (part)));
    ELSE
        own := body - 'household_id' - 'id' - 'revision';
    END CASE;
    RETURN coalesce(extra -> 'fields', '{}') || jsonb_build_object('type', document_type, 'schema', 1) || own;
END
$$;
