import Domain

@testable import App

/// Returns the date a number of days before today, such as `2026-10-21`.
func daysAgo(_ days: Int) -> String { WallClock.today().adding(days: -days).iso }
