#!/usr/bin/env python3
"""Tests the scripts of Public/js on the sample pages in Chromium, and the forms without scripts. The checks are in
`script_checks`, in one file per page."""

from playwright.sync_api import sync_playwright
from browser import CHROMIUM
from script_checks.all_pages import (
    badges, buttons_below_long_lists, copied_link, double_tap_guard, keyboard_shortcuts, link_heights, narrow_screens,
    printed_pages, tab_order, typed_months)
from script_checks.camera import camera
from script_checks.comparison import comparison_list, printed_comparison
from script_checks.products import base_prices, chart_figures, chart_readout, price_change_line
from script_checks.review import (
    amounts_as_on_the_server, arithmetic, checked_marks, computed_total, currency, duplicate, held_enter_key, missing_day,
    refused_form, review, split_of_a_return, unread_amount)
from script_checks.review_layout import action_bar, long_names, marks_on_picture, zoomed_page
from script_checks.review_on_phone import picture_without_motion, taps_on_phone
from script_checks.review_sending import (
    drafts_sent, refused_drafts, submit_without_connection, without_script)
from script_checks.sample_site import failures, rendered_pages, report, serve
from script_checks.upload import inbox_progress, upload, upload_progress


def main():
    pages = rendered_pages()
    route = serve(pages)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.route("**/*", route)
        page.on("pageerror", lambda error: failures.append(f"script error: {error}"))
        for part in (
            review, marks_on_picture, held_enter_key, arithmetic, amounts_as_on_the_server, split_of_a_return,
            unread_amount, duplicate, missing_day, checked_marks, computed_total, drafts_sent,
            refused_drafts, submit_without_connection, currency, action_bar, comparison_list, badges, narrow_screens,
            copied_link, chart_readout, printed_comparison, chart_figures, base_prices, price_change_line, refused_form,
            long_names, upload, keyboard_shortcuts, zoomed_page, tab_order, link_heights, typed_months,
            buttons_below_long_lists, printed_pages,
        ):
            part(page)
        double_tap_guard(page)
        upload_progress(page)
        inbox_progress(page, pages)
        camera(browser, route)
        taps_on_phone(browser, route)
        picture_without_motion(browser, route)
        without_script(browser, route)
        browser.close()
    report()


if __name__ == "__main__":
    main()
