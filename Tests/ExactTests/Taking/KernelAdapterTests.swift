import Bluetooth
import EventLoop
import Kernel
import Peripheral
import TestSupport
import Testing

@testable import Exact

@EventLoop @Suite(.timeLimit(.minutes(10))) struct KernelAdapterTests {
  private let folder = TemporaryFolder()
  private let kernel = ImitatedKernel([
    OfferedAdapter(controller: controller(0), isPowered: true), OfferedAdapter(controller: controller(1)),
  ])

  private static func controller(_ index: UInt16, _ address: String = "00:1A:7D:DA:71:1") -> LocalController {
    LocalController(index: index, address: LinkAddress(DeviceAddress("\(address)\(index)")!))
  }

  private func adapter(_ choice: AdapterChoice, endsOtherUse: Bool = false) -> KernelAdapter {
    KernelAdapter(
      choice, endsOtherUse: endsOtherUse, courtesy: .zero, records: folder.path + "state", kernel: kernel)
  }

  private func finding(taking adapter: KernelAdapter) async -> AdapterFinding? {
    do throws(AdapterFinding) {
      _ = try await adapter.take()
      return nil
    } catch {
      return error
    }
  }

  // MARK: Taking

  @Test func `an adapter that is on is switched off and taken, and is on again at the end`() async throws {
    let adapter = adapter(.named("hci0"))
    _ = try await adapter.take()
    #expect(adapter.name == "hci0")
    #expect(kernel.held == [0] && !kernel.isPowered(0))
    kernel.regain(0)
    #expect(await adapter.giveBack() == nil)
    #expect(kernel.isPowered(0))
  }

  @Test func `an adapter that was off is off again, although bluetoothd switches it on`() async throws {
    let adapter = adapter(.named("hci1"))
    _ = try await adapter.take()
    kernel.enablesAdapters = true
    kernel.regain(1)
    #expect(await adapter.giveBack() == nil)
    #expect(!kernel.isPowered(1))
  }

  @Test func `an adapter that bluetoothd is switching on is switched off afterwards`() async throws {
    let adapter = adapter(.named("hci1"))
    _ = try await adapter.take()
    kernel.regain(1)
    kernel.refusals = [.busy, .busy]
    #expect(await adapter.giveBack() == nil)
    #expect(kernel.refusals.isEmpty && !kernel.switches.contains(true))
  }

  @Test func `bluetoothd may switch the adapter on as it should be`() async throws {
    let adapter = adapter(.named("hci0"))
    _ = try await adapter.take()
    kernel.enablesAdapters = true
    kernel.regain(0)
    #expect(await adapter.giveBack() == nil)
    #expect(!kernel.switches.contains(true) && kernel.isPowered(0))
  }

  @Test func `it waits until the kernel lets go of the adapter`() async throws {
    kernel.refusals = [.busy]
    kernel.timesBusy = 3
    _ = try await adapter(.first).take()
    #expect(kernel.held == [0])
  }

  @Test(arguments: [
    (ManagementStatus.permissionDenied, "--on exact needs the capability CAP_NET_ADMIN"),
    (.invalidIndex, "cannot take hci0 from the kernel: the kernel refused Set Powered: Invalid Index (0x11)"),
  ])
  func `what the kernel refuses is said`(status: ManagementStatus, message: String) async {
    kernel.refusals = [status]
    #expect(await finding(taking: adapter(.first))?.message == message)
    #expect(kernel.held.isEmpty)
  }

  // MARK: Others

  @Test(arguments: [
    (1, 0, "a connection with 4C:32:75:0A:11:90"),
    (2, 1, "a connection with 4C:32:75:0A:11:90, 4C:32:75:0A:11:91; 1 advertisement"),
    (0, 2, "2 advertisements"),
  ])
  func `it names what others would lose`(connected: Int, advertisements: Int, text: String) async {
    let peers = (0..<connected).map { DeviceAddress("4C:32:75:0A:11:9\($0)")! }
    kernel.uses[0] = AdapterUse(connected: peers, advertisements: advertisements)
    let finding = await finding(taking: adapter(.named("hci0")))
    #expect(finding?.message == "other programs are using hci0 and would be cut off: " + text)
    #expect(kernel.held.isEmpty && kernel.isPowered(0))
    // Nothing is left to restore.
    _ = try? await adapter(.named("hci0"), endsOtherUse: true).take()
    #expect(kernel.held == [0])
  }

  @Test func `another blemu has the adapter`() async throws {
    let first = adapter(.named("hci0"))
    _ = try await first.take()
    #expect(await finding(taking: adapter(.named("hci0"))) == .inUse("hci0", .exact))
    kernel.regain(0)
    #expect(await first.giveBack() == nil)
    #expect(await finding(taking: adapter(.named("hci0"))) == nil)
  }

  @Test func `without a choice it is the first that no device of blemu uses`() async throws {
    let records = folder.path + "state"
    let ofBlueZ = try AdapterRecord(of: Self.controller(0).address.address, current: [:], in: records)
    let second = adapter(.first)
    _ = try await second.take()
    #expect(second.name == "hci1")
    #expect(await finding(taking: adapter(.first)) == .noneFree(["hci0", "hci1"]))
    withExtendedLifetime(ofBlueZ) {}
  }

  @Test func `another program has the adapter`() async {
    kernel.held = [0]
    #expect(await finding(taking: adapter(.named("hci0"))) == .isTaken("hci0", .exact))
    #expect(await finding(taking: adapter(.first)) == nil)
    #expect(kernel.held == [0, 1])
  }

  // MARK: Coming and going

  @Test func `an adapter that comes back with another number is taken again`() async throws {
    let adapter = adapter(.named("hci0"))
    _ = try await adapter.take()
    kernel.held = []
    kernel.adapters = [
      OfferedAdapter(controller: Self.controller(1)),
      OfferedAdapter(
        controller: LocalController(index: 4, address: Self.controller(0).address), isPowered: true),
    ]
    // Another program is not asked: the adapter is this run's until the end.
    kernel.uses[4] = AdapterUse(advertisements: 1)
    _ = try await adapter.take()
    #expect(adapter.name == "hci4")
    kernel.regain(4)
    #expect(await adapter.giveBack() == nil)
    #expect(kernel.isPowered(4))
  }

  @Test func `an adapter that is unplugged is no problem at the end`() async throws {
    let adapter = adapter(.named("hci0"))
    _ = try await adapter.take()
    kernel.adapters = []
    #expect(await finding(taking: adapter) == .noAdapter)
    #expect(await adapter.giveBack() == nil)
  }

  @Test func `a run restores what one that was killed has left`() async throws {
    _ = try await adapter(.named("hci0")).take()
    kernel.regain(0)
    #expect(!kernel.isPowered(0))
    let next = adapter(.named("hci0"))
    _ = try await next.take()
    #expect(
      next.warnings == ["an earlier run was killed; blemu restores the settings of hci0 when this run ends"])
    kernel.regain(0)
    #expect(await next.giveBack() == nil)
    #expect(kernel.isPowered(0))
  }
}
