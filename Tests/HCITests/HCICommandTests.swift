import EventLoop
import HCIPackets
import TestSupport
import Testing

@testable import HCI

@Suite(.timeLimit(.minutes(10))) struct HCICommandTests {
  @EventLoop private func socket(_ script: String) -> (HCISocket, FakeKernel) {
    let (ours, theirs) = pairOfSockets()
    return (HCISocket(adopting: ours), FakeKernel(theirs, script))
  }

  @EventLoop @Test func `an answer has the parameters after its status`() async throws {
    let (socket, kernel) = socket(
      """
      > 01 3A 20 00
      < 04 0E 06 01 3A 20 00 72 06
      """)
    #expect(try await socket.maximumAdvertisingDataLength() == 1650)
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop @Test func `the answer to another program's command is not ours`() async throws {
    let (socket, kernel) = socket(
      """
      > 01 39 20 06 01 01 EF 00 00 00
      < 01 39 20 02 00 00             # the kernel disables all sets
      < 04 0E 04 01 39 20 00
      < 04 0E 04 01 39 20 42
      """)
    var seen: [HCIEvent] = []
    socket.onEvent = { seen.append($0) }
    let error = await error { () throws(HCICommandError) in try await socket.perform(.enable(handle: 0xEF)) }
    #expect(error == .refused(.setExtendedAdvertisingEnable, .unknownAdvertisingIdentifier))
    #expect(seen == [.given(HCICommand(.setExtendedAdvertisingEnable, [0, 0]))])
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop @Test func `a command fails when the socket is closed`() async {
    let (socket, kernel) = socket("> 01 3C 20 01 EF\nend")
    let error = await error { () throws(HCICommandError) in try await socket.perform(.remove(handle: 0xEF)) }
    #expect(error == .closed)
    #expect(await kernel.outcome() == nil)
  }
}
