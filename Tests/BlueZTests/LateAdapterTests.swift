import Bluetooth
import EventLoop
import Peripheral
import Testing

@testable import BlueZ

/// A bluetoothd that has just started serves no adapter yet.
@EventLoop
@Suite(.timeLimit(.minutes(10)))
struct LateAdapterTests {
  private let wait = "warning: bluetoothd does not serve hci0 yet; blemu waits up to 5 s"

  private func scene(serving adapters: [Int] = []) async throws -> (Scene, StandIn) {
    let scene = try Scene()
    scene.kernel.adapters = [MadeKernel.first]
    let bluetoothd = try await scene.start("A")
    bluetoothd.hasAdapter = false
    return (scene, bluetoothd)
  }

  @Test func `a device waits for the adapter, and for bluetoothd to switch it on`() async throws {
    let (scene, bluetoothd) = try await scene()
    defer { scene.end() }
    try bluetoothd.setPowered(false)
    async let problem = scene.goOnAir()
    await scene.story.expect(wait, "pause 200 ms")
    scene.scheduler.elapse()
    await scene.story.expect("pause 200 ms")
    try bluetoothd.plugIn()
    bluetoothd.hasManagers = false
    scene.scheduler.elapse()
    await scene.story.expect("pause 200 ms")
    bluetoothd.hasManagers = true
    scene.scheduler.elapse()
    await scene.story.expect("pause 200 ms")
    try bluetoothd.setPowered(true)
    scene.scheduler.elapse()
    #expect(await problem == nil)
    await scene.story.expect("A Set First", "A RegisterApplication FFE1", "A RegisterAdvertisement First")
    await scene.transport.leaveAir()
  }

  @Test func `the adapter is not served after the wait`() async throws {
    let (scene, _) = try await scene()
    defer { scene.end() }
    async let problem = scene.goOnAir()
    await scene.story.expect(wait, "pause 200 ms")
    for _ in 1...25 {
      scene.scheduler.elapse()
      await scene.story.expect("pause 200 ms")
    }
    scene.scheduler.elapse()
    #expect(await problem == TransportError(.adapterIsNotServed("hci0")))
  }

  @Test func `nothing is awaited where the kernel has no adapter, or bluetoothd serves another`() async throws
  {
    let (scene, bluetoothd) = try await scene()
    defer { scene.end() }
    scene.kernel.adapters = []
    #expect(await scene.goOnAir() == TransportError(.noAdapter))
    await scene.transport.leaveAir()
    bluetoothd.hasAdapter = true
    scene.kernel.adapters = [MadeKernel.first, LocalController(index: 1, address: MadeKernel.first.address)]
    #expect(await scene.goOnAir() == nil)
    await scene.transport.leaveAir()
  }

  @Test func `all adapters are awaited of a bluetoothd that has started after the device`() async throws {
    let scene = try Scene()
    defer { scene.end() }
    scene.kernel.adapters = [
      LocalController(index: 0, address: LinkAddress(DeviceAddress("02:00:00:00:00:09")!, .public)),
      LocalController(index: 1, address: MadeKernel.first.address),
    ]
    let client = try await BlueZClient.connect(to: scene.bus.address)
    defer { client.close() }
    let bluetoothd = try await scene.start("A")
    try bluetoothd.plugIn(as: "/org/bluez/hci1")
    let name = try await client.bluetoothd().name
    #expect(client.isOnBusBefore(name))
    async let found = find(client, scene)
    await scene.story.expect(wait, "pause 200 ms")
    scene.kernel.adapters.removeFirst()
    scene.scheduler.elapse()
    await scene.story.expect("pause 200 ms")
    scene.scheduler.elapse()
    #expect(try await found == ["hci1"])
  }

  private func find(_ client: BlueZClient, _ scene: Scene) async throws -> [String] {
    try await AdapterChoice.first.bluetoothd(of: client, kernel: scene.kernel.all, in: "", scene.scheduler) {
      scene.story.add("warning: \($0)")
    }.adapters.map(\.name)
  }
}
