import Bluetooth
import EventLoop
import Peripheral
import System

// In the run, and in its guard.
extension KernelAdapter {
  /// Without one, the adapter is taken all the same.
  func startGuard() {
    guard let reserved else { return }
    let adapter = GuardedAdapter(controller: reserved.controller, wasPowered: reserved.wasPowered)
    do throws(Guard.Failure) {
      self.reserved?.guardian = try kernel.startGuard(of: adapter)
    } catch {
      self.reserved?.warnings.append(
        "cannot start the guard of \(adapter.controller.name): \(error.reason); "
          + "if blemu is killed, only the next run restores the adapter")
    }
  }

  /// Gives back an adapter in the place of a run that was killed, unless another run has it or has given it back by now.
  ///
  /// The controller may advertise on for the killed run. Linux resets it when it switches it on, so an adapter that was off is on
  /// for a moment.
  ///
  /// - Parameters:
  ///   - hadRecord: whether the run had an ``AdapterRecord``.
  ///   - patience: how long the run's end may take, after which the kernel has the adapter.
  static func giveBack(
    _ adapter: GuardedAdapter, hadRecord: Bool, patience: Duration = .seconds(10),
    records: String = AdapterRecord.folder, kernel: any AdapterKernel = LinuxKernel()
  ) async -> String? {
    let (controller, address) = (adapter.controller, adapter.controller.address.address)
    let isRestored = { hadRecord && !AdapterRecord.exists(of: address, in: records) }
    let given = KernelAdapter(AdapterChoice(controller), records: records, kernel: kernel) {
      isRestored() || AdapterRecord.isInUse(address, in: records)
    }
    let deadline = EventLoop.now + patience.microseconds
    let last = Reserved(controller, wasPowered: adapter.wasPowered)
    while EventLoop.now < deadline, !isRestored(), (try? await given.present(last)) == nil {
      await EventLoop.pause(Self.lookPause)
    }
    for isOn in adapter.wasPowered ? [true] : [true, false] {
      given.reserved = Reserved(controller, wasPowered: isOn)
      if let problem = await given.giveBack() { return problem }
    }
    if !isRestored() {
      try? AdapterRecord(of: address, current: ["powered": ""], in: records).forget(["powered": ""])
    }
    return nil
  }
}

extension AdapterChoice {
  /// By its address: its index may be another one after it was unplugged.
  init(_ controller: LocalController) {
    let address = controller.address.address
    self = address.isZero ? .named(controller.name) : .address(address)
  }
}
