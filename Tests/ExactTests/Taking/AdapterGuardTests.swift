import Bluetooth
import EventLoop
import Glibc
import Kernel
import Peripheral
import System
import TestSupport
import Testing

@testable import Exact

@EventLoop @Suite(.timeLimit(.minutes(10))) struct AdapterGuardTests {
  private static let controller = LocalController(
    index: 0, address: LinkAddress(DeviceAddress("00:1A:7D:DA:71:13")!))

  private let folder = TemporaryFolder()
  private let kernel = ImitatedKernel([OfferedAdapter(controller: controller)])
  private var records: String { folder.path + "state" }

  private func adapter() -> KernelAdapter {
    KernelAdapter(.first, courtesy: .zero, records: records, kernel: kernel)
  }

  /// A run takes the adapter and is killed.
  private func takeAndDie() async throws {
    _ = try await adapter().take()
    kernel.regain(0)
  }

  private func giveBack(wasPowered: Bool, patience: Duration = .seconds(60)) async -> String? {
    await KernelAdapter.giveBack(
      GuardedAdapter(controller: Self.controller, wasPowered: wasPowered), hadRecord: true,
      patience: patience,
      records: records,
      kernel: kernel)
  }

  // MARK: After the run was killed

  @Test(arguments: [false, true], [false, true])
  func `the adapter is as before, and the controller was reset`(
    isOn: Bool, hasBluetoothd: Bool
  ) async throws {
    kernel.adapters[0].isPowered = isOn
    kernel.enablesAdapters = hasBluetoothd
    try await takeAndDie()
    let before = kernel.switches.count
    #expect(await giveBack(wasPowered: isOn) == nil)
    #expect(kernel.isPowered(0) == isOn)
    #expect(kernel.switches[before...].contains(true) == !hasBluetoothd)
    #expect(folder.read("state/adapter-001A7DDA7113") == nil)
  }

  @Test func `it leaves the adapter as a later run has left it`() async throws {
    try await takeAndDie()
    let next = adapter()
    _ = try await next.take()
    kernel.regain(0)
    #expect(await next.giveBack() == nil)
    let before = kernel.switches
    #expect(await giveBack(wasPowered: false) == nil)
    #expect(kernel.switches == before)
  }

  @Test func `it waits until the kernel has the adapter, under whatever number`() async throws {
    kernel.adapters[0].isPowered = true
    _ = try await adapter().take()
    EventLoop.start { [kernel] in
      await EventLoop.pause(.milliseconds(1))
      kernel.held = []
      kernel.adapters[0].controller.index = 4
    }
    #expect(await giveBack(wasPowered: true) == nil)
    #expect(kernel.isPowered(4))
  }

  @Test func `a power change that is in progress ends first`() async throws {
    kernel.adapters[0].isPowered = true
    try await takeAndDie()
    kernel.adapters[0].isPowered = true
    kernel.refusals = [.busy, .busy]
    #expect(await giveBack(wasPowered: true) == nil)
    #expect(kernel.refusals.isEmpty)
  }

  @Test func `it leaves the adapter to a run that has begun meanwhile`() async throws {
    try await takeAndDie()
    let next = adapter()
    _ = try await next.take()
    kernel.regain(0)
    #expect(await giveBack(wasPowered: true, patience: .zero) == nil)
    #expect(!kernel.isPowered(0))
    #expect(await next.giveBack() == nil)
  }

  @Test func `it says what the kernel refuses`() async throws {
    kernel.adapters[0].isPowered = true
    try await takeAndDie()
    kernel.adapters[0].isPowered = true
    kernel.refusals = [.blocked]
    #expect(
      await giveBack(wasPowered: true)
        == "could not restore the power of hci0: the kernel refused Set Powered: Blocked through rfkill (0x12); "
        + "the next run restores it")
  }

  // MARK: The process

  /// A guard that writes to a file how it ends.
  private func startsGuards() {
    let script = "if [ $(head -c 1 | wc -c) = 1 ]; then echo dismissed; else echo killed; fi >\"$0\""
    kernel.guardProgram = ("/bin/sh", ["-c", script, folder.path + "end"])
  }

  private var processes: [Int32] { kernel.guards.map(\.process) }

  @Test func `an ordinary end leaves no process`() async throws {
    startsGuards()
    let adapter = adapter()
    _ = try await adapter.take()
    #expect(processes.count == 1 && getsid(processes[0]) == processes[0])
    kernel.regain(0)
    #expect(await adapter.giveBack() == nil)
    #expect(kill(processes[0], 0) != 0)
    #expect(folder.read("end") == "dismissed\n")
  }

  @Test func `a run that fails while starting leaves no process`() async {
    startsGuards()
    kernel.refusals = [.invalidIndex]
    _ = try? await adapter().take()
    #expect(processes.count == 1 && kill(processes[0], 0) != 0)
  }

  /// The process of a guard whose connection this process has closed.
  private func startedAndLost() throws -> Int32 {
    let (path, words) = try #require(kernel.guardProgram)
    return try Guard(running: path, words).process
  }

  @Test func `it notices that the run was killed`() async throws {
    startsGuards()
    let process = try startedAndLost()
    let end = Promise<Void>()
    let watch = EventLoop.ChildWatch(process) { _ in end.fulfil() }
    await end.value()
    withExtendedLifetime(watch) {}
    #expect(folder.read("end") == "killed\n")
  }

  @Test func `a guard that cannot be started is a warning`() async throws {
    kernel.guardProgram = ("/none", [])
    let adapter = adapter()
    _ = try await adapter.take()
    #expect(
      adapter.warnings == [
        "cannot start the guard of hci0: No such file or directory; if blemu is killed, only the next run "
          + "restores the adapter"
      ])
  }

  @Test(arguments: [false, true])
  func `its command line says what it guards`(wasPowered: Bool) {
    let adapter = GuardedAdapter(controller: Self.controller, wasPowered: wasPowered)
    #expect(
      adapter.words.joined(separator: " ")
        == "adapter-guard hci0 00:1A:7D:DA:71:13 \(wasPowered ? "on" : "off")")
    #expect(GuardedAdapter(words: adapter.words) == adapter)
    #expect(GuardedAdapter(words: ["run", "hm-10"]) == nil)
  }

  @Test func `this program, which is not blemu, starts none`() throws {
    let adapter = GuardedAdapter(controller: Self.controller, wasPowered: true)
    #expect(try LinuxKernel().startGuard(of: adapter) == nil)
  }
}
