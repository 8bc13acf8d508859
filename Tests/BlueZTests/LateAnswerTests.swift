import EventLoop
import Peripheral
import Testing

@testable import BlueZ

/// A bluetoothd that takes long to answer, because its controller does.
@EventLoop
@Suite(.timeLimit(.minutes(10)))
struct LateAnswerTests {
  private let member = "RegisterAdvertisement"
  private let begin = ["A Set First", "A RegisterApplication FFE1", "A RegisterAdvertisement First"]
  private let change = ["A Set Second", "A UnregisterAdvertisement", "A RegisterAdvertisement Second"]
  private let wait = "warning: bluetoothd has not confirmed the advertisement yet; blemu keeps waiting"

  @Test func `an advertisement that is confirmed late is registered once`() async throws {
    let scene = try Scene()
    defer { scene.end() }
    let bluetoothd = try await scene.start("A", holding: [member])
    let going = Task { @EventLoop in await scene.goOnAir() }
    await scene.story.expect(begin)
    for _ in 0..<2 {
      scene.clock.elapse()
      await scene.story.expect(wait)
    }
    bluetoothd.answer()
    #expect(await going.value == nil)
    bluetoothd.held = []
    await scene.transport.leaveAir()
    await scene.story.expect("A UnregisterAdvertisement", "A UnregisterApplication", "A Set stand-in")
  }

  @Test func `services that are confirmed late are registered once`() async throws {
    let scene = try Scene()
    defer { scene.end() }
    let bluetoothd = try await scene.start("A", holding: ["RegisterApplication"])
    let going = Task { @EventLoop in await scene.goOnAir() }
    await scene.story.expect(Array(begin.prefix(2)))
    scene.clock.elapse()
    await scene.story.expect("warning: bluetoothd has not confirmed the services yet; blemu keeps waiting")
    bluetoothd.answer()
    #expect(await going.value == nil)
    await scene.story.expect(begin[2])
    await scene.transport.leaveAir()
  }

  @Test func `a change that is confirmed late is registered once`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    bluetoothd.held = [member]
    scene.transport.advertise(TestDevice.second.advertisement)
    await scene.story.expect(change)
    scene.clock.elapse()
    await scene.story.expect(wait)
    #expect(scene.transport.advertised == nil)
    bluetoothd.answer()
    bluetoothd.held = []
    await scene.transport.leaveAir()
    await scene.story.expect("A UnregisterAdvertisement", "A UnregisterApplication", "A Set stand-in")
  }

  @Test func `a device whose adapter has gone waits for no answer`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    bluetoothd.held = [member]
    scene.transport.advertise(TestDevice.second.advertisement)
    await scene.story.expect(change)
    try bluetoothd.unplug()
    try await bluetoothd.flush()
    await scene.transport.catchUp()
    scene.clock.elapse()
    await scene.story.expect("off: the adapter is gone")
    bluetoothd.held = []
    try bluetoothd.plugIn()
    await scene.story.expect("A RegisterApplication FFE1", "A RegisterAdvertisement Second", "on")
    await scene.transport.leaveAir()
  }

  @Test func `a device that leaves takes nothing back that may be pending`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    bluetoothd.held = [member]
    scene.transport.advertise(TestDevice.second.advertisement)
    await scene.story.expect(change)
    let leaving = Task { @EventLoop in await scene.transport.leaveAir() }
    while scene.transport.client != nil { await EventLoop.pause(.milliseconds(1)) }
    scene.clock.elapse()
    await leaving.value
    await scene.story.expect("A UnregisterApplication", "A Set stand-in")
  }
}
