import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct WallClockTests {
    @Test(arguments: [
        ("Europe/Vienna", "Europe/Vienna"), ("UTC", "UTC"), ("", nil), ("Mars/Olympus", nil),
        ("/etc/localtime", nil), ("../../etc/passwd", nil), ("Europe/Vi enna", nil), (":Europe/Vienna", nil),
        ("CET-1CEST,M3.5.0,M10.5.0/3", nil),
    ])
    func `only names of time zones in tzdata are passed to the database`(name: String, zone: String?) {
        #expect(WallClock.databaseZone(name) == zone)
    }
}
