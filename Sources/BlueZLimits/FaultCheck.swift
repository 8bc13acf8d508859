import Bluetooth
import DeviceModel

/// Finds the faults that BlueZ does not do as they say.
struct FaultCheck {
  private let definition: PeripheralDefinition

  init(_ definition: PeripheralDefinition) { self.definition = definition }

  var findings: [Finding] {
    definition.faults.enumerated().compactMap { index, fault in
      fault.remarkOfBlueZ.map { Finding(.warning, $0, at: .fault(index), hint: "--on exact does it") }
    }
  }
}

extension Fault {
  /// How long bluetoothd waits for an answer.
  private static let patience = Duration.seconds(5)

  /// In what way BlueZ does not do it as it says; nil: it does.
  var remarkOfBlueZ: String? {
    switch kind {
    case .answer(nil): "BlueZ does not stay silent: after 5 s, it sends the central Unlikely Error (0x0E)"
    case .answer(let time?) where time > Self.patience:
      "BlueZ does not wait so long: after 5 s, it sends the central Unlikely Error (0x0E)"
    case .refuse(let error):
      error.throughBlueZ(onRead: false) == error || error.throughBlueZ(onRead: true) == error
        ? nil : "BlueZ cannot send \(error): the central gets \(ATTError.unlikelyError)"
    default: nil
    }
  }
}
