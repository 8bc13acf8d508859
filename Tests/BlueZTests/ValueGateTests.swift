import EventLoop
import Testing

@testable import BlueZ

@EventLoop
@Suite(.timeLimit(.minutes(5)))
struct ValueGateTests {
  /// A gate with a bluetoothd that reads values and messages as a test says.
  @EventLoop
  private final class Scene {
    let story = Story()
    var hasUnread = false
    /// How many of the next readings of messages another message follows.
    var messagesMeanwhile = 0
    private(set) lazy var gate = ValueGate(
      hasUnread: { [unowned self] in hasUnread },
      hold: { [story] in story.add($0 ? "hold" : "release") },
      catchUp: { [unowned self] in catchUp() })

    private func catchUp() {
      story.add("read")
      guard messagesMeanwhile > 0 else { return }
      messagesMeanwhile -= 1
      gate.letMessagesPass()
    }

    func send(values: Int) { for _ in 0..<values { gate.countValue() } }
  }

  private let scene = Scene()

  @Test func `values wait until bluetoothd has read the messages before them`() async {
    scene.hasUnread = true
    scene.gate.letMessagesPass()
    #expect(scene.gate.isHolding)
    await scene.story.expect("hold", "read", "release")
    #expect(!scene.gate.isHolding)
  }

  @Test func `a message delays values only if many follow`() async {
    scene.gate.letMessagesPass()
    scene.send(values: 7)
    await scene.story.expect()
    scene.send(values: 1)
    await scene.story.expect("hold", "read", "release")
    scene.send(values: 100)
    await scene.story.expect()
  }

  @Test func `messages sent meanwhile are read, too, but do not hold values forever`() async {
    scene.hasUnread = true
    scene.messagesMeanwhile = 1
    scene.gate.letMessagesPass()
    await scene.story.expect("hold", "read", "read", "release")
    scene.messagesMeanwhile = 2
    scene.gate.letMessagesPass()
    // The last message comes after the second reading: values go on, and then it has its turn.
    await scene.story.expect("hold", "read", "read", "release", "hold", "read", "release")
  }
}
