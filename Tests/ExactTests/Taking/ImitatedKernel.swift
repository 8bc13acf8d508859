import Bluetooth
import EventLoop
import Kernel
import System
import TestSupport

@testable import Exact

/// A kernel with adapters, and perhaps a bluetoothd that switches on each adapter that appears.
@EventLoop
final class ImitatedKernel: AdapterKernel {
  var adapters: [OfferedAdapter]
  /// The indices of those that are taken.
  var held: Set<UInt16> = []
  var uses: [UInt16: AdapterUse] = [:]
  var enablesAdapters = false
  /// The next requests to switch an adapter fail with these.
  var refusals: [ManagementStatus] = []
  /// How often another program's use makes taking an adapter fail.
  var timesBusy = 0
  private(set) var switches: [Bool] = []
  /// The guard that the next run gets; nil: none.
  var guardProgram: (path: String, words: [String])?
  private(set) var guards: [Guard] = []

  init(_ adapters: [OfferedAdapter]) { self.adapters = adapters }

  func offered() -> [OfferedAdapter] { adapters.filter { !held.contains($0.controller.index) } }

  func all() -> [LocalController] { adapters.map(\.controller) }

  func use(of controller: UInt16) -> AdapterUse { uses[controller] ?? AdapterUse() }

  func setPowered(_ isOn: Bool, on controller: UInt16) throws(ManagementError) {
    if !refusals.isEmpty { throw .refused(.setPowered, refusals.removeFirst()) }
    if isPowered(controller) != isOn { switches.append(isOn) }
    change(controller) { $0.isPowered = isOn }
  }

  func take(_ controller: UInt16) throws(ControllerFinding) -> ControllerConnection {
    if timesBusy > 0 {
      timesBusy -= 1
      throw .adapterIsOn(.adapter(controller))
    }
    guard !isPowered(controller) else { throw .adapterIsOn(.adapter(controller)) }
    held.insert(controller)
    return imitatedConnection(to: .adapter(controller))
  }

  func startGuard(of adapter: GuardedAdapter) throws(Guard.Failure) -> Guard? {
    guard let (path, words) = guardProgram else { return nil }
    guards.append(try Guard(running: path, words))
    return guards.last
  }

  /// The program has closed its connection.
  func regain(_ controller: UInt16) {
    held.remove(controller)
    if enablesAdapters { change(controller) { $0.isPowered = true } }
  }

  func isPowered(_ controller: UInt16) -> Bool {
    adapters.contains { $0.controller.index == controller && $0.isPowered }
  }

  private func change(_ controller: UInt16, _ body: (inout OfferedAdapter) -> Void) {
    for place in adapters.indices where adapters[place].controller.index == controller {
      body(&adapters[place])
    }
  }
}
