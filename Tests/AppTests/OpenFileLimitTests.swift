import Testing

@testable import App

@Suite(.timeLimit(.minutes(1))) struct OpenFileLimitTests {
    @Test(arguments: [(16_384, 8_192), (1_024, 740), (.max, 8_192), (256, 64)] as [(Int, Int)])
    func `clients cannot take the descriptors that the server itself needs`(_ descriptors: Int, _ connections: Int) {
        let allowed = OpenFileLimit.connections(atMost: 8_192, of: descriptors, loops: 4, connections: 4)
        #expect(allowed == connections)
    }
}
