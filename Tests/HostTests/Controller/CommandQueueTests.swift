import Framing
import HCIPackets
import TestSupport
import Testing

@testable import Host

@Suite struct CommandQueueTests {
  private static let reset = HCICommand(.reset)

  private static func afterReset() -> CommandQueue {
    var queue = CommandQueue()
    queue.sent(reset, for: .start, at: .milliseconds(5))
    return queue
  }

  @Test func `a command has ten seconds for its answer`() {
    var queue = Self.afterReset()
    #expect(!queue.isReady && queue.deadline == .milliseconds(10_005) && queue.failure == .noAnswer(.reset))
    #expect(queue.answered(.readRSSI, allowed: 1, at: .milliseconds(6)) == nil)
    #expect(queue.answered(.reset, allowed: 1, at: .milliseconds(6))?.0 == Self.reset)
    #expect(queue.isReady && queue.isIdle && queue.deadline == nil && queue.failure == nil)
  }

  /// Command Complete with the opcode 0 belongs to no command.
  @Test func `a controller may grant the next command later, and fails if it does not`() {
    var queue = Self.afterReset()
    #expect(queue.answered(.reset, allowed: 0, at: .milliseconds(6)) != nil)
    #expect(!queue.isReady && queue.deadline == .milliseconds(10_006))
    #expect(queue.failure == .takesNoCommand(after: .reset))
    #expect(queue.answered(HCIOpcode(rawValue: 0), allowed: 1, at: .milliseconds(7)) == nil)
    #expect(queue.isReady && queue.deadline == nil)
  }

  @Test func `what was asked for a link is forgotten with it`() {
    var queue = CommandQueue()
    for handle in [0x40, 0x41] as [LinkHandle] { queue.request(.readRSSI(handle)) }
    queue.forget(0x40)
    #expect(queue.takeRequest() == .readRSSI(0x41))
    #expect(queue.takeRequest() == nil)
  }
}
