import Bluetooth
import DBus
import DeviceModel
import EventLoop
import Peripheral
import Testing

@testable import BlueZ

/// A device that sets how its adapter pairs, and a bluetoothd that asks its agent.
@EventLoop
@Suite(.timeLimit(.minutes(10)))
struct DevicePairingTests {
  private let central = "02:00:00:00:00:02"

  private func device(bonds: Bool = true) -> DeviceOnAir {
    var policy = PairingPolicy()
    policy.capability = .displayYesNo
    policy.bonds = bonds
    var device = TestDevice.first
    device.definition.security = PairingTemplate()
    device.pairing = policy
    return device
  }

  private func onAir(bonds: Bool) async throws -> (Scene, StandIn) {
    let scene = try Scene()
    let bluetoothd = try await scene.start("A", holding: ["Set"])
    let going = Task { @EventLoop in await scene.goOnAir(device(bonds: bonds)) }
    await scene.story.expect(
      "A RegisterAgent DisplayYesNo", "A RequestDefaultAgent", "A Set First", "A Set pairable")
    bluetoothd.answer()
    await scene.story.expect("A RegisterApplication FFE1", "A RegisterAdvertisement First")
    #expect(await going.value == nil)
    bluetoothd.answer()
    await scene.story.expect("A Set timeout 0")
    bluetoothd.held = []
    bluetoothd.answer()
    await scene.transport.watchCentrals()
    return (scene, bluetoothd)
  }

  private func pair(_ scene: Scene, _ bluetoothd: StandIn) async throws {
    try await bluetoothd.askAgent(toCompare: 123_456)
    try await bluetoothd.askAgent(toCompare: 123_456)
    try bluetoothd.report("Paired", true)
    await scene.story.expect("connected \(central)", "123456 for \(central)", "paired \(central)")
  }

  @Test(arguments: [true, false])
  func `a device keeps keys only if it bonds, and restores how the adapter pairs`(bonds: Bool) async throws {
    let (scene, bluetoothd) = try await onAir(bonds: bonds)
    defer { scene.end() }
    try await pair(scene, bluetoothd)
    await scene.transport.leaveAir()
    await scene.story.expect(
      [
        "A Disconnect", "disconnected \(central)", "A UnregisterAdvertisement", "A UnregisterApplication",
        "A UnregisterAgent",
      ] + (bonds ? [] : ["A RemoveDevice"]) + ["A Set stand-in", "A Set not pairable", "A Set timeout 0"])
  }

  @Test(arguments: [PersonAnswer.asUsual, .refusal])
  func `bluetoothd waits for somebody at the device`(answer: PersonAnswer) async throws {
    let (scene, bluetoothd) = try await onAir(bonds: true)
    defer { scene.end() }
    scene.host.takesTime = true
    let asking = Task { @EventLoop in try await bluetoothd.askAgent(toCompare: 123_456) }
    await scene.story.expect("connected \(central)", "123456 for \(central)")
    scene.host.answer?(answer)
    let isAccepted = (try? await asking.value) != nil
    #expect(isAccepted == (answer == .asUsual))
    await scene.story.expect(isAccepted ? [] : ["not paired: numeric comparison failed"])
    await scene.transport.leaveAir()
  }

  @Test func `keys that the device does not keep go with their central`() async throws {
    let (scene, bluetoothd) = try await onAir(bonds: false)
    defer { scene.end() }
    try await pair(scene, bluetoothd)
    try bluetoothd.report("Connected", false)
    await scene.story.expect("disconnected \(central)", "A RemoveDevice")
    await scene.transport.leaveAir()
    await scene.story.expect(
      "A UnregisterAdvertisement", "A UnregisterApplication", "A UnregisterAgent", "A Set stand-in",
      "A Set not pairable", "A Set timeout 0")
  }

  @Test func `a device gives the agent up, and takes it up again`() async throws {
    let (scene, _) = try await onAir(bonds: true)
    defer { scene.end() }
    scene.transport.pair(nil)
    await scene.story.expect("A UnregisterAgent", "A Set not pairable", "A Set timeout 0")
    scene.transport.pair(device().pairing)
    await scene.story.expect(
      "A RegisterAgent DisplayYesNo", "A RequestDefaultAgent", "A Set pairable", "A Set timeout 0")
    await scene.transport.leaveAir()
    await scene.story.expect(
      "A UnregisterAdvertisement", "A UnregisterApplication", "A UnregisterAgent", "A Set stand-in",
      "A Set not pairable", "A Set timeout 0")
  }
}
