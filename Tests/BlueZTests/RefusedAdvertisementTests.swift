import EventLoop
import Peripheral
import Testing

@testable import BlueZ

/// A bluetoothd that does not take the advertisement.
@EventLoop
@Suite(.timeLimit(.minutes(10)))
struct RefusedAdvertisementTests {
  private let register = "A RegisterAdvertisement First"
  private let member = "RegisterAdvertisement"

  private func scene(refusing errors: String...) async throws -> Scene {
    let scene = try Scene()
    try await scene.start("A").refusals = [member: errors]
    return scene
  }

  @Test func `a call that may succeed later is repeated`() async throws {
    let scene = try await scene(refusing: "Failed", "Busy", "InProgress")
    defer { scene.end() }
    let going = Task { @EventLoop in await scene.goOnAir() }
    await scene.story.expect("A Set First", "A RegisterApplication FFE1", register, "pause 100 ms")
    scene.scheduler.elapse()
    await scene.story.expect(register, "pause 300 ms")
    scene.scheduler.elapse()
    await scene.story.expect(register, "pause 900 ms")
    scene.scheduler.elapse()
    #expect(await going.value == nil)
    await scene.story.expect(register)
    await scene.transport.leaveAir()
  }

  @Test(arguments: [("InvalidLength", TransportError.Kind.invalid), ("NotPermitted", .unavailable)])
  func `a permanent error keeps the device off the air`(
    error: String, kind: TransportError.Kind
  ) async throws {
    let scene = try await scene(refusing: error)
    defer { scene.end() }
    #expect(await scene.goOnAir()?.kind == kind)
    await scene.story.expect(
      "A Set First", "A RegisterApplication FFE1", register, "A UnregisterAdvertisement",
      "A UnregisterApplication")
    await scene.transport.leaveAir()
    await scene.story.expect("A Set stand-in")
  }

  @Test func `what may pass is tried again under way, and is no news`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    bluetoothd.refusals = [member: ["Failed", "Failed"]]
    let register = "A RegisterAdvertisement Second"
    scene.transport.advertise(TestDevice.second.advertisement)
    await scene.story.expect("A Set Second", "A UnregisterAdvertisement", register, "pause 100 ms")
    scene.scheduler.elapse()
    await scene.story.expect(register, "pause 300 ms")
    scene.scheduler.elapse()
    await scene.story.expect(register)
    await scene.transport.leaveAir()
    await scene.story.expect("A UnregisterAdvertisement", "A UnregisterApplication", "A Set stand-in")
  }

  @Test func `the second refusal in a row is news`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    bluetoothd.refusals = [member: ["NotPermitted", "NotPermitted", "NotPermitted"]]
    let register = "A RegisterAdvertisement Second"
    scene.transport.advertise(TestDevice.second.advertisement)
    await scene.story.expect("A Set Second", "A UnregisterAdvertisement", register, "pause 1000 ms")
    scene.scheduler.elapse()
    await scene.story.expect(
      register, "warning: not advertising: hci0 has no free advertising instance; in use: 0",
      "pause 1000 ms")
    scene.scheduler.elapse()
    await scene.story.expect(register, "pause 1000 ms")
    scene.scheduler.elapse()
    await scene.story.expect(register)
    await scene.transport.leaveAir()
  }

  @Test func `an advertisement that is too long is not tried again`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    bluetoothd.refusals = [member: ["InvalidLength"]]
    scene.transport.advertise(TestDevice.second.advertisement)
    await scene.story.expect(
      "A Set Second", "A UnregisterAdvertisement", "A RegisterAdvertisement Second",
      "warning: not advertising: the advertisement is too long for BlueZ")
    scene.transport.advertise(TestDevice.first.advertisement)
    await scene.story.expect("A Set First", register)
    await scene.transport.leaveAir()
  }

  @Test func `a device that cannot come back tries again after a second`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    try await bluetoothd.stop()
    await scene.story.expect("off: bluetoothd has stopped")
    bluetoothd.refusals = [member: ["NotPermitted"]]
    try await bluetoothd.takeName()
    await scene.story.expect(
      "A RegisterApplication FFE1", register, "A UnregisterAdvertisement", "A UnregisterApplication",
      "pause 1000 ms")
    scene.scheduler.elapse()
    await scene.story.expect("A RegisterApplication FFE1", register, "on")
    await scene.transport.leaveAir()
  }
}
