import Bluetooth
import EventLoop
import Kernel
import System

/// What the kernel offers to a program that takes an adapter from it.
@EventLoop
protocol AdapterKernel: AnyObject {
  /// The adapters that the kernel uses, in the order of their indices.
  func offered() async throws(ManagementError) -> [OfferedAdapter]

  /// All adapters, also those that a program has for itself.
  func all() -> [LocalController]

  /// - Throws: also if this program may not change the adapter: reading is open to everybody.
  func use(of controller: UInt16) async throws(ManagementError) -> AdapterUse

  func setPowered(_ isOn: Bool, on controller: UInt16) async throws(ManagementError)

  /// The adapter must be off.
  func take(_ controller: UInt16) throws(ControllerFinding) -> ControllerConnection

  /// Starts a process that gives the adapter back if this one is killed; nil: this program has none.
  func startGuard(of adapter: GuardedAdapter) throws(Guard.Failure) -> Guard?
}

/// An adapter that the kernel uses.
struct OfferedAdapter: Hashable {
  var controller: LocalController
  var isPowered = false
  var hasLowEnergy = true
}
