#!/usr/bin/env python3
"""Tests how the scripts of Public/js react to other tabs, lost connections and replaced pages, and in browsers that lack
a function. The checks are in `script_checks`."""

from script_checks.browser_settings import errors_outside_fields, query_without_size, reduced_motion
from script_checks.replaced_pages import (
    ended_documents, left_page, page_without_has, replaced_chart, replaced_comparisons, replaced_names)
from script_checks.review_events import (
    amount_of_a_second_new_line, grouped_figures, insertion_below_a_deleted_line, printed_names, review_by_keyboard,
    size_of_type, stored_input)
from script_checks.upload_events import (
    names_of_uploads, repeated_status, streams_of_hidden_pages, upload_of_a_shown_page)
from script_checks.waiting_photos import covered_page, deleted_photos, lost_database, offline_wines, photo_after_back
from script_pages import run

if __name__ == "__main__":
    run(
        query_without_size, left_page, replaced_chart, deleted_photos, replaced_names, stored_input, grouped_figures,
        names_of_uploads, upload_of_a_shown_page, repeated_status, streams_of_hidden_pages, reduced_motion, review_by_keyboard,
        insertion_below_a_deleted_line, amount_of_a_second_new_line, lost_database, offline_wines, errors_outside_fields,
        page_without_has, ended_documents,
        on_phones=(size_of_type, replaced_comparisons, printed_names, covered_page, photo_after_back),
    )
