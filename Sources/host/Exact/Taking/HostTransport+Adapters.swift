import Bluetooth
import Kernel
import Peripheral

extension HostTransport {
  /// The adapter that the user has chosen, also while a program has it for itself.
  ///
  /// - Throws: ``TransportError``.
  package static func controller(of choice: AdapterChoice) throws -> LocalController {
    let all = KernelAdapters.all
    do throws(AdapterFinding) {
      return try choice.choose(from: all.map { OfferedAdapter(controller: $0) }, all: all).controller
    } catch {
      throw TransportError(error)
    }
  }
}
