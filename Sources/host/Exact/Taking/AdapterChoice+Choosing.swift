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

extension AdapterChoice {
  /// The chosen one of the adapters. The first is the first that no device of blemu uses.
  ///
  /// - Parameters:
  ///   - all: also those that a program has for itself.
  ///   - records: the folder of each ``AdapterRecord``.
  func choose(
    from offered: [OfferedAdapter], all: [LocalController], records: String = AdapterRecord.folder
  ) throws(AdapterFinding) -> OfferedAdapter {
    let asked = offered.filter { chooses($0.controller) }
    let isUsed = { (controller: LocalController) in
      self == .first && AdapterRecord.isInUse(controller.address.address, in: records)
    }
    if let able = asked.first(where: { $0.hasLowEnergy && !isUsed($0.controller) }) { return able }
    let used = all.filter(isUsed)
    guard used.isEmpty else { throw .noneFree(used.map(\.name)) }
    guard asked.isEmpty else { throw .noLowEnergy(asked.map(\.controller.name)) }
    guard !all.isEmpty else { throw .noAdapter }
    throw .absent(
      name, held: all.first(where: chooses), known: all.map(AdapterFinding.Known.init), for: .exact,
      in: records)
  }
}
