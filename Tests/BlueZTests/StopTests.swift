import EventLoop
import Peripheral
import Testing

@testable import BlueZ

/// A bluetoothd that stops while it is asked. What it has answered, or not, is nothing to the next.
@EventLoop
@Suite(.timeLimit(.minutes(10)))
struct StopTests {
  private let start = ["A Set First", "A RegisterApplication FFE1", "A RegisterAdvertisement First"]

  @Test(arguments: ["Set", "RegisterApplication", "RegisterAdvertisement"])
  func `a device does not go on the air with a bluetoothd that stops`(member: String) async throws {
    let scene = try Scene()
    defer { scene.end() }
    let bluetoothd = try await scene.start("A", holding: [member])
    let going = Task { @EventLoop in await scene.goOnAir() }
    await scene.story.expect(start.upTo { $0.contains(member) })
    try await bluetoothd.stop()
    let problem = await going.value
    #expect(problem?.kind == .unavailable && problem?.message == "bluetoothd has stopped")
    bluetoothd.answer()
    await scene.transport.leaveAir()
    await scene.story.expect(
      "warning: could not restore the settings of hci0: BlueZ did not answer; the next run restores them")
  }

  @Test func `a device that left the air before its host began reports this when it begins`() async throws {
    let scene = try Scene()
    defer { scene.end() }
    let bluetoothd = try await scene.start("A")
    #expect(await scene.goOnAir() == nil)
    await scene.story.expect(start)
    try await bluetoothd.stop()
    try await expectNoAdvertisement(scene)
    await scene.story.expect()
    await scene.transport.watchCentrals()
    await scene.story.expect("off: bluetoothd has stopped")
    await scene.transport.leaveAir()
  }

  /// The calls that a change of the name makes.
  @Test(arguments: [1, 2, 3], ["", "NotSupported"])
  func `a device whose advertisement changes comes back with the next bluetoothd`(
    calls: Int, lateAnswer: String
  ) async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    let lines = ["A Set Second", "A UnregisterAdvertisement", "A RegisterAdvertisement Second"]
    bluetoothd.held = [["Set", "UnregisterAdvertisement", "RegisterAdvertisement"][calls - 1]]
    scene.transport.advertise(TestDevice.second.advertisement)
    await scene.story.expect(Array(lines.prefix(calls)))
    try await bluetoothd.stop()
    await scene.story.expect("off: bluetoothd has stopped")
    bluetoothd.answer(lateAnswer)
    try await bluetoothd.flush()
    _ = try await scene.start("B")
    await scene.story.expect(
      "B Set Second", "B RegisterApplication FFE1", "B RegisterAdvertisement Second", "on")
    await scene.transport.leaveAir()
  }

  @Test func `a device whose attributes change comes back with the next bluetoothd`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    bluetoothd.held = ["UnregisterApplication"]
    scene.transport.serve(TestDevice.withSecondCharacteristic.table, toConnected: false)
    await scene.story.expect("A UnregisterAdvertisement", "A UnregisterApplication")
    try await bluetoothd.stop()
    await scene.story.expect("off: bluetoothd has stopped")
    _ = try await scene.start("B")
    await scene.story.expect(
      "B Set First", "B RegisterApplication FFE1 FFE2", "B RegisterAdvertisement First", "on")
    bluetoothd.answer()
    await scene.transport.leaveAir()
  }

  @Test func `a late reply from a bluetoothd that is gone answers no call to the next`() async throws {
    let (scene, first) = try await Scene.onAir()
    defer { scene.end() }
    first.held = ["RegisterAdvertisement"]
    scene.transport.advertise(TestDevice.second.advertisement)
    await scene.story.expect("A Set Second", "A UnregisterAdvertisement", "A RegisterAdvertisement Second")
    try await first.stop()
    await scene.story.expect("off: bluetoothd has stopped")
    let second = try await scene.start("B", holding: ["RegisterAdvertisement"])
    await scene.story.expect("B Set Second", "B RegisterApplication FFE1", "B RegisterAdvertisement Second")
    first.answer()
    try await first.flush()
    try await expectNoAdvertisement(scene)
    second.answer()
    await scene.story.expect("on")
    await scene.transport.leaveAir()
  }

  @Test func `a bluetoothd that another replaces, which a third replaces, leaves the device with the third`()
    async throws
  {
    let (scene, _) = try await Scene.onAir()
    defer { scene.end() }
    let second = try await hold(scene, "B", "RegisterApplication")
    await scene.story.expect("off: bluetoothd has stopped", "B Set First", "B RegisterApplication FFE1")
    _ = try await scene.start("C")
    await scene.story.expect(
      "C Set First", "C RegisterApplication FFE1", "C RegisterAdvertisement First", "on")
    second.answer()
    try await second.flush()
    await scene.transport.leaveAir()
    await scene.story.expect("C UnregisterAdvertisement", "C UnregisterApplication", "C Set stand-in")
  }

  @Test func `a bluetoothd that stops while the device comes back to it leaves the device with the next`()
    async throws
  {
    let (scene, first) = try await Scene.onAir()
    defer { scene.end() }
    try await first.stop()
    let second = try await hold(scene, "B", "RegisterAdvertisement")
    await scene.story.expect(
      "off: bluetoothd has stopped", "B Set First", "B RegisterApplication FFE1",
      "B RegisterAdvertisement First")
    try await second.stop()
    second.answer()
    try await second.flush()
    try await expectNoAdvertisement(scene)
    await scene.story.expect()
    _ = try await scene.start("C")
    await scene.story.expect(
      "C Set First", "C RegisterApplication FFE1", "C RegisterAdvertisement First", "on")
    await scene.transport.leaveAir()
  }

  @Test func `a bluetoothd that comes twice is registered with once`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    try await bluetoothd.stop()
    try await bluetoothd.takeName()
    await scene.story.expect(
      "off: bluetoothd has stopped", "A RegisterApplication FFE1", "A RegisterAdvertisement First", "on")
    await scene.transport.leaveAir()
  }

  @Test func `a device comes back after a bluetoothd that was killed while it was asked`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    bluetoothd.held = ["RegisterAdvertisement"]
    scene.transport.advertise(TestDevice.second.advertisement)
    await scene.story.expect("A Set Second", "A UnregisterAdvertisement", "A RegisterAdvertisement Second")
    bluetoothd.close()
    await scene.story.expect("off: bluetoothd has stopped")
    _ = try await scene.start("B")
    await scene.story.expect(
      "B Set Second", "B RegisterApplication FFE1", "B RegisterAdvertisement Second", "on")
    await scene.transport.leaveAir()
  }

  @Test func `a device that leaves waits for no bluetoothd that is gone`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    bluetoothd.held = ["UnregisterAdvertisement"]
    let leaving = Task { @EventLoop in await scene.transport.leaveAir() }
    await scene.story.expect("A UnregisterAdvertisement")
    try await bluetoothd.stop()
    await leaving.value
    await scene.story.expect(
      "warning: could not restore the settings of hci0: BlueZ did not answer; the next run restores them")
  }

  private func hold(_ scene: Scene, _ name: String, _ member: String) async throws -> StandIn {
    let standIn = try await scene.start(name, holding: [member])
    return standIn
  }

  /// After all messages so far have been handled, BlueZ advertises nothing for the device.
  private func expectNoAdvertisement(_ scene: Scene) async throws {
    await scene.transport.catchUp()
    #expect(scene.transport.advertised == nil)
  }
}

extension [String] {
  /// Up to the first that fits.
  fileprivate func upTo(_ fits: (String) -> Bool) -> [String] {
    Array(prefix((firstIndex(where: fits) ?? count - 1) + 1))
  }
}
