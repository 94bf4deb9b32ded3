-- What a PDF says in its text layer, kept in the reader's wire form: its picture alone would be read worse the second time
-- than the document was the first time. Without personal details, unless the household keeps them. NULL for photos,
-- which are read again from the picture.

ALTER TABLE receipt_page ADD COLUMN words bytea;
ALTER TABLE receipt_page ADD CONSTRAINT receipt_page_words_check CHECK (length(words) <= 4194304);
