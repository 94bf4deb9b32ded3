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

-- Appends the plus signs of the printed name to the words of its key. Returns the key itself if it does not have the
-- words of the name. A key that already has the signs does not change.
CREATE FUNCTION key_with_plus(printed text, key text) RETURNS text
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    -- lower() changes only ASCII letters in a database with the locale C.
    folded text := lower(translate(
        replace(replace(replace(replace(replace(replace(replace(printed,
            'Ä', 'ae'), 'ä', 'ae'), 'Ö', 'oe'), 'ö', 'oe'), 'Ü', 'ue'), 'ü', 'ue'), 'ß', 'ss'),
        'ÀÁÂÃÅÇČĆÈÉÊËÌÍÎÏÑÒÓÔÕŠÙÚÛÝŸŽàáâãåçčćèéêëìíîïñòóôõšùúûýÿž×’‘´–—−' || E'\u00A0\u202F',
        'aaaaaccceeeeiiiinoooosuuuyyzaaaaaccceeeeiiiinoooosuuuyyzx--------'));
    word text;
    signs text;
    place integer;
    gap text;
    result text := '';
    remaining text := key;
BEGIN
    FOR word, signs IN
        SELECT n.parts[1], coalesce(n.parts[2], '')
        FROM regexp_matches(folded, '([a-z0-9%\u0080-\U0010FFFF]+)(\++(?![a-z0-9%\u0080-\U0010FFFF+]))?', 'g') AS n (parts)
    LOOP
        place := strpos(remaining, word);
        gap := left(remaining, place - 1);
        IF place = 0 OR gap NOT IN ('', ' ', '.') THEN RETURN key; END IF;
        -- A key has no blank between a figure and its unit, unless one of them has a sign.
        IF gap = '' AND result <> '' AND (signs <> '' OR right(result, 1) = '+') THEN gap := ' '; END IF;
        result := result || gap || word || signs;
        remaining := ltrim(substr(remaining, place + length(word)), '+');
    END LOOP;
    RETURN left(result || remaining, 200);
END
$$;

UPDATE product_alias SET alias_key = key_with_plus(printed_name, alias_key)
WHERE printed_name LIKE '%+%' AND alias_key <> key_with_plus(printed_name, alias_key);

-- Ignored names have no printed name. They get the key of the lines that have their name, if all of these have the sign.
WITH renamed AS (
    UPDATE receipt_line l SET alias_key = n.after
    FROM (SELECT household_id, id, alias_key AS before, key_with_plus(printed_name, alias_key) AS after
        FROM receipt_line WHERE printed_name LIKE '%+%' OFFSET 0) n
    WHERE l.household_id = n.household_id AND l.id = n.id AND n.after <> n.before
    RETURNING l.household_id, l.receipt_id, n.before, n.after)
UPDATE ignored_name i SET alias_key = n.after
FROM (SELECT c.household_id, s.chain, c.before, min(c.after) AS after
    FROM renamed c
    JOIN receipt r ON r.household_id = c.household_id AND r.id = c.receipt_id
    JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
    GROUP BY 1, 2, 3) n
WHERE i.household_id = n.household_id AND i.chain = n.chain AND i.alias_key = n.before
    AND NOT EXISTS (SELECT 1 FROM receipt_line o
        JOIN receipt r ON r.household_id = o.household_id AND r.id = o.receipt_id
        JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
        WHERE o.household_id = i.household_id AND o.alias_key = i.alias_key AND o.kind = 'item' AND s.chain = i.chain
            AND key_with_plus(o.printed_name, o.alias_key) <> n.after OFFSET 0);

DROP FUNCTION key_with_plus(text, text);
