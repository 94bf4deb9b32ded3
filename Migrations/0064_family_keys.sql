-- A year in the name of a wine is a part of its family key unless it is the vintage (`Cuvée 1922` of 2019). Keys that were
-- stored before this rule have no years. They get the current key, so that the list groups these wines with the vintages
-- that were stored later.

-- The words of a name as the application folds them, for Latin letters.
CREATE FUNCTION pg_temp.wine_words(name text) RETURNS text[]
LANGUAGE sql IMMUTABLE
AS $$
    SELECT regexp_split_to_array(btrim(regexp_replace(lower(regexp_replace(
        replace(replace(replace(replace(replace(replace(replace(replace(replace(
            translate(left(name, 400),
                'ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝàáâãäåçèéêëìíîïðñòóôõöøùúûüýÿ'
                'ĀāĂăĄąĆćĈĉĊċČčĎďĐđĒēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥĦħĨĩĪīĬĭĮįİıĴĵĶķĸĹĺĻļĽľĿŀŁłŃńŅņŇňŉŊŋŌōŎŏŐőŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŦŧŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽžſ',
                'aaaaaaceeeeiiiidnoooooouuuuyaaaaaaceeeeiiiidnoooooouuuuyy'
                'aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs'),
            'Æ', 'ae'), 'æ', 'ae'), 'Œ', 'oe'), 'œ', 'oe'), 'Ĳ', 'ij'), 'ĳ', 'ij'), 'Þ', 'th'), 'þ', 'th'), 'ß', 'ss'),
        '[\u0300-\u036f]', '', 'g')), '[^[:alnum:]]+', ' ', 'g')), ' ')
$$;

-- The words, joined by blanks, without the vintage; if the vintage is NULL, without all years from 1900 to 2049.
CREATE FUNCTION pg_temp.wine_key(words text[], vintage smallint) RETURNS text
LANGUAGE sql IMMUTABLE
AS $$
    SELECT left(coalesce(string_agg(w.word, ' ' ORDER BY w.n) FILTER (WHERE CASE
        WHEN vintage IS NULL THEN w.word !~ '^(19[0-9][0-9]|20[0-4][0-9])$' ELSE w.word <> vintage::text END), ''), 400)
    FROM unnest(words) WITH ORDINALITY AS w (word, n)
$$;

-- A stored key that equals the folded words without years was stored before the rule. The comparison also skips names with
-- letters that these functions fold differently from the application.
UPDATE wine SET family_key = pg_temp.wine_key(pg_temp.wine_words(producer || ' ' || name), vintage)
WHERE vintage IS NOT NULL AND producer || ' ' || name ~ '(19|20)[0-9][0-9]'
    AND family_key = pg_temp.wine_key(pg_temp.wine_words(producer || ' ' || name), NULL);
UPDATE shared_wine SET family_key = pg_temp.wine_key(pg_temp.wine_words(producer || ' ' || name), vintage)
WHERE vintage IS NOT NULL AND producer || ' ' || name ~ '(19|20)[0-9][0-9]'
    AND family_key = pg_temp.wine_key(pg_temp.wine_words(producer || ' ' || name), NULL);

DROP FUNCTION pg_temp.wine_words(text);
DROP FUNCTION pg_temp.wine_key(text[], smallint);
