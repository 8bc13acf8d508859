import Bluetooth
import EventLoop
import Kernel
import Peripheral
import System

/// An adapter that this program takes from the kernel for a time, and gives back as it was.
///
/// While it is taken, it is no adapter for the kernel and for bluetoothd. If the program is killed, the kernel gets it back at once,
/// and an ``Guard`` makes it what it was. That is also in an ``AdapterRecord``, from which the next run restores it if the guard
/// was killed, too.
@EventLoop
final class KernelAdapter: Sendable {
  /// Those of this process.
  private static var all: [AdapterChoice: KernelAdapter] = [:]

  /// How long the kernel may take to switch the adapter off, and another program to let it.
  private static let patience = Duration.seconds(5)
  private static let pause = Duration.milliseconds(20)

  private let choice: AdapterChoice
  private let endsOtherUse: Bool
  private let courtesy: Duration
  private let records: String
  let kernel: any AdapterKernel
  /// Whether another run has taken the adapter over.
  private let isTakenOver: () -> Bool
  var reserved: Reserved?
  /// How many devices of this process are on it.
  var users = 0

  /// An adapter that is this program's from now on.
  struct Reserved {
    let choice: AdapterChoice
    /// nil: the file could not be written, or this is not the run that took the adapter.
    let record: AdapterRecord?
    let wasPowered: Bool
    var warnings: [String] = []
    var guardian: Guard?
    var controller: LocalController

    init(_ controller: LocalController, _ record: AdapterRecord? = nil, wasPowered: Bool) {
      (self.controller, self.record, self.wasPowered) = (controller, record, wasPowered)
      choice = AdapterChoice(controller)
    }
  }

  /// The adapter for another device of this process.
  static func shared(_ choice: AdapterChoice, endsOtherUse: Bool) -> KernelAdapter {
    if let adapter = all[choice] { return adapter }
    let adapter = KernelAdapter(choice, endsOtherUse: endsOtherUse)
    all[choice] = adapter
    return adapter
  }

  /// - Parameters:
  ///   - endsOtherUse: whether it takes the adapter although others use it.
  ///   - courtesy: how long the use by others may take to end.
  ///   - records: the folder of each ``AdapterRecord``.
  init(
    _ choice: AdapterChoice, endsOtherUse: Bool = false, courtesy: Duration = .seconds(2),
    records: String = AdapterRecord.folder, kernel: any AdapterKernel = LinuxKernel(),
    isTakenOver: @escaping () -> Bool = { false }
  ) {
    self.isTakenOver = isTakenOver
    (self.choice, self.endsOtherUse, self.courtesy) = (choice, endsOtherUse, courtesy)
    (self.records, self.kernel) = (records, kernel)
  }

  /// As in `hci0`.
  var name: String { reserved?.controller.name ?? choice.name }

  /// What the user should know about the adapter that was taken.
  var warnings: [String] { reserved?.warnings ?? [] }
}

// MARK: Taking

extension KernelAdapter {
  /// Switches the adapter off and takes it, or takes it again, after it was unplugged and plugged in.
  func take() async throws(AdapterFinding) -> ControllerConnection {
    let adapter = try await find()
    let isFirst = reserved == nil
    if isFirst {
      reserved = try await reserve(adapter)
      startGuard()
    }
    do throws(AdapterFinding) {
      let connection = try await takeOnceOff(adapter.controller)
      reserved?.controller = adapter.controller
      return connection
    } catch {
      if isFirst { _ = await giveBack() }
      throw error
    }
  }

  private func find() async throws(AdapterFinding) -> OfferedAdapter {
    let offered: [OfferedAdapter]
    do throws(ManagementError) { offered = try await kernel.offered() } catch { throw .opening(error) }
    let choice = reserved?.choice ?? choice
    return try choice.choose(from: offered, all: kernel.all(), records: records)
  }

  private func reserve(_ adapter: OfferedAdapter) async throws(AdapterFinding) -> Reserved {
    _ = try await use(of: adapter.controller)
    let reserved = try reserved(of: adapter)
    if !endsOtherUse, let finding = try await lastingUse(of: adapter.controller) {
      try? reserved.record?.forget(adapter.settings)
      throw finding
    }
    return reserved
  }

  /// What others do with the adapter, if they go on for a while: a device that has just left it takes a moment.
  private func lastingUse(of controller: LocalController) async throws(AdapterFinding) -> AdapterFinding? {
    let deadline = EventLoop.now + courtesy.microseconds
    while true {
      guard let finding = try await use(of: controller).finding(on: controller.name) else { return nil }
      if EventLoop.now >= deadline { return finding }
      await EventLoop.pause(Self.pause)
    }
  }

  private func use(of controller: LocalController) async throws(AdapterFinding) -> AdapterUse {
    do throws(ManagementError) { return try await kernel.use(of: controller.index) } catch {
      throw .taking(controller, error)
    }
  }

  private func reserved(of adapter: OfferedAdapter) throws(AdapterFinding) -> Reserved {
    let (name, address) = (adapter.controller.name, adapter.controller.address.address)
    var reserved: Reserved
    do throws(LockedFile.Failure) {
      let record = try AdapterRecord(of: address, current: adapter.settings, in: records)
      reserved = Reserved(adapter.controller, record, wasPowered: record.original["powered"] == "true")
      if record.isLeftOver {
        reserved.warnings = [
          "an earlier run was killed; blemu restores the settings of \(name) when this run ends"
        ]
      }
    } catch {
      guard case .unwritable(let file) = error else { throw .inUse(name, .exact) }
      reserved = Reserved(adapter.controller, wasPowered: adapter.isPowered)
      reserved.warnings = [
        "cannot write \(file.path): \(file.reason); if blemu is killed, the next run cannot restore "
          + "the settings of \(name)"
      ]
    }
    return reserved
  }

  /// bluetoothd switches an adapter on when it appears, so this asks until the kernel lets go of it.
  private func takeOnceOff(_ controller: LocalController) async throws(AdapterFinding) -> ControllerConnection
  {
    let deadline = EventLoop.now + Self.patience.microseconds
    while true {
      do throws(ManagementError) { try await kernel.setPowered(false, on: controller.index) } catch {
        guard error.isPassing, EventLoop.now < deadline else { throw .taking(controller, error) }
      }
      do throws(ControllerFinding) { return try kernel.take(controller.index) } catch {
        guard case .adapterIsOn = error, EventLoop.now < deadline else { throw .taking(controller, error) }
      }
      await EventLoop.pause(Self.pause)
    }
  }
}

// MARK: Giving back

extension KernelAdapter {
  /// How often to look whether bluetoothd switches the adapter on, which it does at once if it does.
  private static let looks = 10
  static let lookPause = Duration.milliseconds(50)

  /// Makes the adapter what it was. The connection to it must be closed: the kernel has it then.
  ///
  /// - Returns: a message for the user if the kernel refuses.
  func giveBack() async -> String? {
    if Self.all[choice] === self { Self.all[choice] = nil }
    guard let reserved else { return nil }
    self.reserved = nil
    let problem = await restore(reserved)
    await reserved.guardian?.dismiss()
    return problem
  }

  private func restore(_ reserved: Reserved) async -> String? {
    do throws(ManagementError) { try await restorePower(reserved) } catch {
      return
        "could not restore the power of \(reserved.controller.name): \(error.message); the next run restores it"
    }
    try? reserved.record?.forget(["powered": ""])
    return nil
  }

  /// An adapter that is unplugged has nothing to restore.
  private func restorePower(_ reserved: Reserved) async throws(ManagementError) {
    let deadline = EventLoop.now + Self.patience.microseconds
    var looks = Self.looks
    while looks > 0, EventLoop.now < deadline {
      guard let adapter = try await present(reserved) else { return }
      let isWaiting = reserved.wasPowered && !adapter.isPowered && looks > 1
      // Busy: its power is changing at this moment.
      let isQuiet = isWaiting ? true : try await switchPower(reserved.wasPowered, of: adapter)
      if isQuiet, reserved.wasPowered, adapter.isPowered { return }
      if isQuiet { looks -= 1 }
      await EventLoop.pause(Self.lookPause)
    }
    if looks > 0 { throw .refused(.setPowered, .busy) }
  }

  /// nil: it is unplugged, or a run has taken it over from one that was killed.
  func present(_ reserved: Reserved) async throws(ManagementError) -> OfferedAdapter? {
    if isTakenOver() { return nil }
    return try await kernel.offered().first { reserved.choice.chooses($0.controller) }
  }

  /// - Returns: whether the kernel has taken the request.
  private func switchPower(
    _ isOn: Bool, of adapter: OfferedAdapter
  ) async throws(ManagementError) -> Bool {
    do throws(ManagementError) {
      try await kernel.setPowered(isOn, on: adapter.controller.index)
      return true
    } catch {
      guard error.isPassing else { throw error }
      return false
    }
  }
}

extension OfferedAdapter {
  fileprivate var settings: AdapterRecord.Settings { ["powered": String(isPowered)] }
}

extension ManagementError {
  /// Whether the kernel may take the same request a moment later.
  fileprivate var isPassing: Bool {
    switch self {
    case .refused(.setPowered, .busy), .refused(.setPowered, .failed): true
    default: false
    }
  }
}

extension KernelAdapter: Hashable {
  nonisolated static func == (one: KernelAdapter, other: KernelAdapter) -> Bool { one === other }

  nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
