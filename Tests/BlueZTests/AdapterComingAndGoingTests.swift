import EventLoop
import Peripheral
import Testing

@testable import BlueZ

/// An adapter that goes and comes back, and centrals that do.
@EventLoop
@Suite(.timeLimit(.minutes(10)))
struct AdapterComingAndGoingTests {
  private let central = "02:00:00:00:00:02"

  @Test func `a device whose adapter is unplugged is back with it`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    try bluetoothd.setConnected(true)
    await scene.story.expect("connected \(central)")
    try bluetoothd.setConnected(false, tells: false)
    try bluetoothd.unplug()
    await scene.story.expect("disconnected \(central)", "off: the adapter is gone")
    try bluetoothd.plugIn()
    await scene.story.expect("A RegisterApplication FFE1", "A RegisterAdvertisement First", "on")
    await scene.transport.leaveAir()
  }

  @Test func `an adapter that comes back under another name is watched there`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    try bluetoothd.unplug()
    await scene.story.expect("off: the adapter is gone")
    try bluetoothd.plugIn(as: "/org/bluez/hci1")
    await scene.story.expect("A RegisterApplication FFE1", "A RegisterAdvertisement First", "on")
    await scene.transport.catchUp()
    try bluetoothd.setConnected(true)
    await scene.story.expect("connected \(central)")
    try bluetoothd.setPowered(false)
    await scene.story.expect("disconnected \(central)", "off: hci1 was switched off")
    await scene.transport.leaveAir()
  }

  @Test func `a device whose adapter goes while it registers is back with it`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    bluetoothd.held = ["RegisterAdvertisement"]
    scene.transport.advertise(TestDevice.second.advertisement)
    await scene.story.expect("A Set Second", "A UnregisterAdvertisement", "A RegisterAdvertisement Second")
    try bluetoothd.unplug()
    bluetoothd.held = []
    bluetoothd.answer("Failed")
    await scene.story.expect("pause 100 ms")
    scene.scheduler.elapse()
    await scene.story.expect("A RegisterAdvertisement Second", "off: the adapter is gone")
    try bluetoothd.plugIn()
    await scene.story.expect("A RegisterApplication FFE1", "A RegisterAdvertisement Second", "on")
    await scene.transport.leaveAir()
  }

  @Test func `an adapter that is switched off and on keeps the registration`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    try bluetoothd.setPowered(false)
    await scene.story.expect("off: hci0 was switched off")
    try bluetoothd.setPowered(true)
    await scene.story.expect("on")
    await scene.transport.leaveAir()
    await scene.story.expect("A UnregisterAdvertisement", "A UnregisterApplication", "A Set stand-in")
  }

  @Test func `with extended advertising, it gets the advertisement again`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir(hasExtendedAdvertising: true)
    defer { scene.end() }
    try bluetoothd.setPowered(false)
    await scene.story.expect("off: hci0 was switched off")
    try bluetoothd.setPowered(true)
    await scene.story.expect("A UnregisterAdvertisement", "A RegisterAdvertisement First", "on")
    await scene.transport.leaveAir()
  }

  @Test func `with extended advertising, it is advertised again for the next central`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir(hasExtendedAdvertising: true)
    defer { scene.end() }
    try bluetoothd.setConnected(true)
    await scene.story.expect(
      "connected \(central)", "A UnregisterAdvertisement", "A RegisterAdvertisement First")
    await scene.transport.leaveAir()
  }

  @Test func `a device that changes while the adapter is off changes when it is on`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    try bluetoothd.setPowered(false)
    await scene.story.expect("off: hci0 was switched off")
    scene.transport.advertise(TestDevice.second.advertisement)
    await scene.transport.catchUp()
    await scene.story.expect()
    try bluetoothd.setPowered(true)
    await scene.story.expect(
      "on", "A Set Second", "A UnregisterAdvertisement", "A RegisterAdvertisement Second")
    await scene.transport.leaveAir()
  }

  @Test func `a central that was there before the device comes when it comes again`() async throws {
    let scene = try Scene()
    defer { scene.end() }
    let bluetoothd = try await scene.start("A")
    try bluetoothd.setConnected(true)
    #expect(await scene.goOnAir() == nil)
    await scene.transport.watchCentrals()
    try bluetoothd.setConnected(false)
    try bluetoothd.setConnected(true)
    await scene.story.expect(
      "A Set First", "A RegisterApplication FFE1", "A RegisterAdvertisement First", "connected \(central)")
    await scene.transport.leaveAir()
  }

  @Test func `a central that leaves while the device goes on the air comes when it comes again`() async throws
  {
    let scene = try Scene()
    defer { scene.end() }
    let bluetoothd = try await scene.start("A")
    try bluetoothd.setConnected(true)
    bluetoothd.held = ["RegisterAdvertisement"]
    let going = Task { @EventLoop in await scene.goOnAir() }
    await scene.story.expect("A Set First", "A RegisterApplication FFE1", "A RegisterAdvertisement First")
    try bluetoothd.setConnected(false)
    bluetoothd.answer()
    #expect(await going.value == nil)
    await scene.transport.watchCentrals()
    try bluetoothd.setConnected(true)
    await scene.story.expect("connected \(central)")
    await scene.transport.leaveAir()
  }

  @Test func `a central that was there before the device comes to the next bluetoothd`() async throws {
    let scene = try Scene()
    defer { scene.end() }
    let first = try await scene.start("A")
    try first.setConnected(true)
    #expect(await scene.goOnAir() == nil)
    await scene.transport.watchCentrals()
    try await first.stop()
    let second = try await scene.start("B")
    await scene.story.expect(
      "A Set First", "A RegisterApplication FFE1", "A RegisterAdvertisement First",
      "off: bluetoothd has stopped", "B Set First", "B RegisterApplication FFE1",
      "B RegisterAdvertisement First", "on")
    try second.setConnected(true)
    await scene.story.expect("connected \(central)")
    await scene.transport.leaveAir()
  }

  @Test func `a central that connects while the device goes on the air is reported when the host begins`()
    async throws
  {
    let scene = try Scene()
    defer { scene.end() }
    let bluetoothd = try await scene.start("A", holding: ["RegisterAdvertisement"])
    let going = Task { @EventLoop in await scene.goOnAir() }
    await scene.story.expect("A Set First", "A RegisterApplication FFE1", "A RegisterAdvertisement First")
    try bluetoothd.setConnected(true)
    bluetoothd.answer()
    #expect(await going.value == nil)
    await scene.story.expect()
    await scene.transport.watchCentrals()
    await scene.story.expect("connected \(central)")
    await scene.transport.leaveAir()
  }
}
