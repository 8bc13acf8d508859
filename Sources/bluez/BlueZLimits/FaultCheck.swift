import Bluetooth
import DeviceModel

/// Finds the faults that have another effect with BlueZ.
struct FaultCheck {
  private let definition: PeripheralDefinition

  init(_ definition: PeripheralDefinition) { self.definition = definition }

  var findings: [Finding] {
    definition.faults.enumerated().flatMap { index, fault in
      remarks(on: fault).map {
        Finding(.warning, $0, at: .fault(index), hint: "--on exact applies it as written")
      }
    }
  }

  /// How the effect of a fault differs with BlueZ.
  func remarks(on fault: Fault) -> [String] {
    if let request = fault.requestOfBlueZ {
      return ["BlueZ itself answers \(request): the fault has no effect"]
    }
    return [fault.remarkOfBlueZ, fault.remarkOnOwnRequests, remarkOnWrites(fault)].compactMap(\.self)
  }
}

// MARK: Writes that BlueZ answers

extension FaultCheck {
  private func remarkOnWrites(_ fault: Fault) -> String? {
    guard fault.kind.subject == .requests else { return nil }
    let struck = characteristics(of: fault)
    let answered = struck.filter(\.isAnsweredByBlueZ)
    guard !answered.isEmpty else { return nil }
    let writes = Self.remark(onWritesTo: answered)
    if case .refuse = fault.kind { return "\(writes): the value is lost, but the central gets no error" }
    let others = struck.filter { $0.hasOtherRequests(for: fault) }
    return others.isEmpty ? "\(writes): the fault has no effect" : "\(writes): only other requests wait"
  }

  /// - Parameter characteristics: those whose writes BlueZ answers.
  static func remark(onWritesTo characteristics: [CharacteristicDefinition]) -> String {
    let ids = characteristics.map { "'\($0.id)'" }.joined(separator: " and ")
    return "BlueZ itself answers every write to \(ids) at once"
  }

  private func characteristics(of fault: Fault) -> ArraySlice<CharacteristicDefinition> {
    switch fault.place {
    case .characteristic(let index, _): definition.characteristics[index...index]
    case .request: []
    case nil, .channel, .layer, .wire: definition.characteristics[...]
    }
  }
}

extension CharacteristicDefinition {
  /// Whether bluetoothd answers all writes before it reports them (bluez: src/gatt-database.c).
  var isAnsweredByBlueZ: Bool { properties.isSuperset(of: [.write, .writeWithoutResponse]) }

  /// Whether a fault affects requests whose answers BlueZ leaves to the device. A read has no message.
  fileprivate func hasOtherRequests(for fault: Fault) -> Bool {
    properties.contains(.write) && !isAnsweredByBlueZ || properties.contains(.read) && fault.message == nil
  }
}

extension Fault {
  /// The requests at its place that bluetoothd answers without the device (bluez: src/gatt-database.c, src/shared/gatt-server.c);
  /// nil: the device learns of others.
  fileprivate var requestOfBlueZ: String? {
    switch place {
    case .request(.mtu, _): "Exchange MTU"
    case .request(.discovery, _): "discovery"
    case .request(.descriptor(0x2902, _), _): "what concerns a Client Characteristic Configuration (2902)"
    default: nil
    }
  }

  fileprivate var remarkOnOwnRequests: String? {
    guard kind.subject == .requests, place == nil, message == nil else { return nil }
    return
      "BlueZ itself answers Exchange MTU, discovery and subscriptions: the fault strikes only reads and writes"
  }

  /// How long bluetoothd waits for an answer.
  private static let patience = Duration.seconds(5)

  /// How its effect differs with BlueZ, whatever it affects; nil: it does not differ.
  fileprivate var remarkOfBlueZ: String? {
    switch kind {
    case .answer(nil): "BlueZ does not stay silent: after 5 s, it sends the central Unlikely Error (0x0E)"
    case .answer(let time?) where time > Self.patience:
      "BlueZ does not wait so long: after 5 s, it sends the central Unlikely Error (0x0E)"
    case .refuse(_, .some): ErrorCheck.choosesHandle
    case .refuse(let error, nil):
      error.throughBlueZ(onRead: false) == error || error.throughBlueZ(onRead: true) == error
        ? nil : "BlueZ cannot send \(error): the central gets \(ATTError.unlikelyError)"
    case .refuseParameters, .ignoreParameters, .failPairing, .spoilConfirm, .refuseEncryption:
      "BlueZ itself answers what a central asks below ATT: the fault has no effect"
    case .fade, .losePackets: "BlueZ does not move a controller: the fault has no effect"
    case .leaveRange:
      "BlueZ does not end a connection without a goodbye: the fault stops advertising and disconnects"
    case .loseLink: "BlueZ does not end a connection without a goodbye: the fault disconnects"
    default: nil
    }
  }
}
