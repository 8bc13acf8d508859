import EventLoop
import Peripheral
import Testing

@testable import BlueZ

/// A device comes, changes and goes, with a bluetoothd that does as it is asked.
@EventLoop
@Suite(.timeLimit(.minutes(10)))
struct LifeTests {
  @Test func `a device gives bluetoothd everything and takes everything back`() async throws {
    let (scene, _) = try await Scene.onAir()
    defer { scene.end() }
    #expect(scene.transport.advertised?.localName == "First")
    await scene.transport.leaveAir()
    await scene.story.expect("A UnregisterAdvertisement", "A UnregisterApplication", "A Set stand-in")
    await scene.transport.leaveAir()
    await scene.story.expect()
  }

  @Test func `an adapter that is off is on for the device`() async throws {
    let scene = try Scene()
    defer { scene.end() }
    let bluetoothd = try await scene.start("A")
    try bluetoothd.setPowered(false)
    #expect(await scene.goOnAir() == nil)
    await scene.story.expect(
      "A Set on", "A Set First", "A RegisterApplication FFE1", "A RegisterAdvertisement First")
    await scene.transport.leaveAir()
    await scene.story.expect(
      "A UnregisterAdvertisement", "A UnregisterApplication", "A Set stand-in", "A Set off")
  }

  @Test func `an adapter is for one device`() async throws {
    let (scene, _) = try await Scene.onAir()
    defer { scene.end() }
    let another = scene.anotherTransport()
    _ = try await another.open()
    let problem = await #expect(throws: TransportError.self) {
      try await another.goOnAir(TestDevice.second)
    }
    #expect(problem?.message == "another blemu is using hci0")
    await another.leaveAir()
    await scene.story.expect()
    await scene.transport.leaveAir()
  }

  @Test func `another advertisement comes after the one before is gone`() async throws {
    let (scene, _) = try await Scene.onAir()
    defer { scene.end() }
    scene.transport.advertise(TestDevice.second.advertisement)
    await scene.story.expect("A Set Second", "A UnregisterAdvertisement", "A RegisterAdvertisement Second")
    scene.transport.advertise(nil)
    await scene.story.expect("A UnregisterAdvertisement")
    await scene.transport.leaveAir()
    await scene.story.expect("A UnregisterApplication", "A Set stand-in")
  }

  @Test func `other attributes wait until the last central has gone`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    try bluetoothd.setConnected(true)
    await scene.story.expect("connected 02:00:00:00:00:02")
    scene.transport.serve(TestDevice.withSecondCharacteristic.table, toConnected: false)
    await scene.story.expect("A UnregisterAdvertisement")
    try bluetoothd.setConnected(false)
    await scene.story.expect(
      "disconnected 02:00:00:00:00:02", "A UnregisterApplication", "A RegisterApplication FFE1 FFE2",
      "A RegisterAdvertisement First")
    await scene.transport.leaveAir()
  }

  @Test func `connected centrals get other attributes at once`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    try bluetoothd.setConnected(true)
    await scene.story.expect("connected 02:00:00:00:00:02")
    scene.transport.serve(TestDevice.withSecondCharacteristic.table, toConnected: true)
    await scene.story.expect(
      "A UnregisterAdvertisement", "A UnregisterApplication", "A RegisterApplication FFE1 FFE2",
      "A RegisterAdvertisement First")
    try bluetoothd.setConnected(false)
    await scene.story.expect("disconnected 02:00:00:00:00:02")
    await scene.transport.leaveAir()
  }

  @Test func `a device that leaves takes nothing back before it is registered`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    bluetoothd.held = ["RegisterAdvertisement"]
    scene.transport.advertise(TestDevice.second.advertisement)
    await scene.story.expect("A Set Second", "A UnregisterAdvertisement", "A RegisterAdvertisement Second")
    let client = try #require(scene.transport.client)
    let leaving = Task { @EventLoop in await scene.transport.leaveAir() }
    await client.catchUp()  // meanwhile it begins to leave
    await client.catchUp()  // meanwhile bluetoothd hears what it would be told too early
    scene.story.add("now")
    bluetoothd.answer()
    await leaving.value
    await scene.story.expect("now", "A UnregisterAdvertisement", "A UnregisterApplication", "A Set stand-in")
  }

  @Test func `another advertisement takes nothing back before it is registered`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    bluetoothd.held = ["RegisterAdvertisement"]
    scene.transport.advertise(TestDevice.second.advertisement)
    await scene.story.expect("A Set Second", "A UnregisterAdvertisement", "A RegisterAdvertisement Second")
    scene.transport.advertise(TestDevice.first.advertisement)
    await scene.transport.catchUp()
    await scene.transport.catchUp()  // meanwhile bluetoothd hears what it would be told too early
    scene.story.add("now")
    bluetoothd.held = []
    bluetoothd.answer()
    await scene.story.expect(
      "now", "A Set First", "A UnregisterAdvertisement", "A RegisterAdvertisement First")
    await scene.transport.leaveAir()
  }

  @Test func `a device may leave while it goes on the air`() async throws {
    let scene = try Scene()
    defer { scene.end() }
    let bluetoothd = try await scene.start("A", holding: ["RegisterAdvertisement"])
    let going = Task { @EventLoop in await scene.goOnAir() }
    await scene.story.expect("A Set First", "A RegisterApplication FFE1", "A RegisterAdvertisement First")
    let leaving = Task { @EventLoop in await scene.transport.leaveAir() }
    #expect(await going.value == .leftEarly)
    bluetoothd.answer()
    await leaving.value
    await scene.story.expect("A UnregisterAdvertisement", "A UnregisterApplication", "A Set stand-in")
  }
}
