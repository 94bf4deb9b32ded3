-- Returned items, which reduce the quantities that a household bought. They are few.
CREATE INDEX IF NOT EXISTS receipt_line_return_idx ON receipt_line (household_id)
    WHERE kind = 'item' AND total_minor < 0;

-- The present and former members of a household that is being deleted. They are deleted last, if they belong to no
-- household. For deletions that have begun before, all people without a household are tried.
ALTER TABLE household_deletion ADD COLUMN IF NOT EXISTS people uuid[] NOT NULL DEFAULT '{}';
UPDATE household_deletion SET people = ARRAY(
    SELECT p.id FROM person p WHERE NOT EXISTS (SELECT 1 FROM membership m WHERE m.person_id = p.id))
WHERE people = '{}';

-- A plus sign at the end of a word belongs to the key of a printed name: VITAMIN C and VITAMIN C+ are different
-- products. Names with such a sign that are already matched keep their product: their stored keys get the sign.

-- Appends the plus signs of the printed name to the words of its key.
CREATE FUNCTION pg_temp.key_with_plus(printed text, key text) RETURNS text
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    folded text := lower(translate(
        replace(replace(replace(replace(replace(replace(replace(printed,
            'Ä', 'ae'), 'ä', 'ae'), 'Ö', 'oe'), 'ö', 'oe'), 'Ü', 'ue'), 'ü', 'ue'), 'ß', 'ss'),
        'ÀÁÂÃÅÇČĆÈÉÊËÌÍÎÏÑÒÓÔÕŠÙÚÛÝŸŽàáâãåçčćèéêëìíîïñòóôõšùúûýÿž',
        'aaaaaccceeeeiiiinoooosuuuyyzaaaaaccceeeeiiiinoooosuuuyyz'));
    parts text[];
    word text;
    result text := key;
BEGIN
    FOR parts IN SELECT regexp_matches(folded, '((?:[0-9]+[.,](?=[0-9]))*[a-z0-9%]+)(\++)(?![[:alnum:]+])', 'g') LOOP
        word := replace(parts[1], ',', '.');
        result := regexp_replace(
            result, '(^| )' || replace(word, '.', '\.') || '( |$)', '\1' || word || parts[2] || '\2');
    END LOOP;
    RETURN left(result, 200);
END
$$;

UPDATE product_alias SET alias_key = pg_temp.key_with_plus(printed_name, alias_key)
WHERE printed_name LIKE '%+%' AND alias_key <> pg_temp.key_with_plus(printed_name, alias_key);

UPDATE receipt_line SET alias_key = pg_temp.key_with_plus(printed_name, alias_key)
WHERE printed_name LIKE '%+%' AND alias_key <> pg_temp.key_with_plus(printed_name, alias_key);

DROP FUNCTION pg_temp.key_with_plus(text, text);
