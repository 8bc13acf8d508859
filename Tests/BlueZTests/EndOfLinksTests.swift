import Bluetooth
import EventLoop
import Glibc
import Peripheral
import TestSupport
import Testing

@testable import BlueZ

/// bluetoothd keeps the links of a program that ends.
@EventLoop
@Suite(.timeLimit(.minutes(10)))
struct EndOfLinksTests {
  private let central = "02:00:00:00:00:02"
  private let adapter = DeviceAddress("02:00:00:00:00:01")!
  private let folder = TemporaryFolder()

  @Test func `a device that leaves ends the links of its centrals while they still find its attributes`()
    async throws
  {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    try bluetoothd.setConnected(true)
    await scene.story.expect("connected \(central)")
    bluetoothd.held = ["Disconnect"]
    let leaving = Task { @EventLoop in await scene.transport.leaveAir() }
    await scene.story.expect("A Disconnect", "disconnected \(central)", "A UnregisterAdvertisement")
    scene.transport.advertise(TestDevice.second.advertisement)
    bluetoothd.answer()
    await leaving.value
    await scene.story.expect("A UnregisterApplication", "A Set stand-in")
  }

  @Test func `it leaves a central that was connected before`() async throws {
    let scene = try Scene()
    defer { scene.end() }
    let bluetoothd = try await scene.start("A")
    try bluetoothd.setConnected(true, tells: false)
    #expect(await scene.goOnAir() == nil)
    await scene.transport.watchCentrals()
    await scene.story.expect("A Set First", "A RegisterApplication FFE1", "A RegisterAdvertisement First")
    await scene.transport.leaveAir()
    await scene.story.expect("A UnregisterAdvertisement", "A UnregisterApplication", "A Set stand-in")
  }

  @Test func `a link that does not end is a warning`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    try bluetoothd.setConnected(true)
    await scene.story.expect("connected \(central)")
    bluetoothd.keepsLinks = true
    bluetoothd.refusals = ["Disconnect": ["Failed"]]
    await scene.transport.leaveAir()
    await scene.story.expect(
      "A Disconnect", "warning: BlueZ refused to disconnect \(central)", "A UnregisterAdvertisement",
      "A UnregisterApplication", "disconnected \(central)", "A Set stand-in")
  }

  // MARK: After a run was killed

  @Test func `a guard knows which centrals are connected, and goes with the device`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    scene.guards.program = (
      "/bin/sh", ["-c", #"{ echo "$@"; sed '/^\x01/q'; } >"$0""#, folder.path + "heard"]
    )
    for isConnected in [true, false, true] {
      try bluetoothd.setConnected(isConnected)
      await scene.story.expect("\(isConnected ? "" : "dis")connected \(central)")
    }
    await scene.transport.leaveAir()
    #expect(folder.read("heard") == "link-guard \(adapter)\n\(central)\n\n\(central)\n\u{1}\n")
  }

  @Test func `a guard ends the links that it knows`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    try bluetoothd.setConnected(true)
    await scene.story.expect("connected \(central)")
    await GuardedLinks.end([], of: adapter, on: scene.bus.address)
    await GuardedLinks.end([DeviceAddress(central)!], of: adapter, on: scene.bus.address)
    await scene.story.expect("A Disconnect", "disconnected \(central)")
    await scene.transport.leaveAir()
  }

  @Test func `a guard that cannot be started is a warning`() async throws {
    let (scene, bluetoothd) = try await Scene.onAir()
    defer { scene.end() }
    scene.guards.program = ("/none", [])
    try bluetoothd.setConnected(true)
    await scene.story.expect(
      "warning: cannot start the guard of the links: No such file or directory; "
        + "if blemu is killed, its centrals stay connected to hci0", "connected \(central)")
    await scene.transport.leaveAir()
  }

  @Test func `other words are those of no guard of links`() {
    #expect(GuardedLinks.duty(of: ["link-guard", "\(adapter)"]) != nil)
    #expect(GuardedLinks.duty(of: ["link-guard", "hci0"]) == nil)
    #expect(GuardedLinks.duty(of: ["run", "hm-10"]) == nil)
  }
}
