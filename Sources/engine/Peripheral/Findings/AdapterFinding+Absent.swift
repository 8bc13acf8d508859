import Bluetooth

extension AdapterFinding {
  /// Why the adapter that the user has chosen is not among those that the kernel offers.
  ///
  /// - Parameters:
  ///   - choice: its name or its address.
  ///   - held: the adapter, if a program has it for itself.
  ///   - known: the adapters that may be named instead.
  ///   - records: the folder of each ``AdapterRecord``.
  package static func absent(
    _ choice: String, held: LocalController?, known: [Known], for stack: Stack,
    in records: String = AdapterRecord.folder
  ) -> Self {
    guard let held else { return .noSuchAdapter(choice, known: known) }
    let isOurs = AdapterRecord.isInUse(held.address.address, in: records)
    return isOurs ? .inUse(held.name, stack) : .isTaken(held.name, stack)
  }
}
