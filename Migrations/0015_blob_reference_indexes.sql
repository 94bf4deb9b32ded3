-- Deleting a picture looks for the pages and files that show it: without an index that reads the whole table each time.

CREATE INDEX receipt_page_reading_idx ON receipt_page (household_id, reading_blob_id) WHERE reading_blob_id IS NOT NULL;
CREATE INDEX receipt_page_display_idx ON receipt_page (household_id, display_blob_id) WHERE display_blob_id IS NOT NULL;
CREATE INDEX receipt_page_preview_idx ON receipt_page (household_id, preview_blob_id) WHERE preview_blob_id IS NOT NULL;
CREATE INDEX receipt_page_file_idx ON receipt_page (household_id, file_id) WHERE file_id IS NOT NULL;
CREATE INDEX receipt_file_blob_idx ON receipt_file (household_id, blob_id) WHERE blob_id IS NOT NULL;
