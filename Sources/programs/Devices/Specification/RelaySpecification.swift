import Bluetooth
import Centrals
import DeviceModel
import EventLoop
import Exact
import Peripheral

/// The real device behind a relay.
package struct RelaySpecification: Sendable {
  package var device: LinkAddress
  /// Where blemu is its central: `exact`.
  package var place: TransportSpecification
  package var pairing: SurveyPlan.Pairing
  /// Whether blemu takes the adapter although other programs use it.
  package var endsOtherUse: Bool

  package init(
    _ device: LinkAddress, through place: TransportSpecification, pairing: SurveyPlan.Pairing,
    endsOtherUse: Bool
  ) {
    (self.device, self.place) = (device, place)
    (self.pairing, self.endsOtherUse) = (pairing, endsOtherUse)
  }

  /// - Parameter choice: the relay as centrals see it.
  @EventLoop
  func make(as choice: DefinitionChoice) throws(DeviceFailure) -> RelayedDevice {
    let definition = choice.definition
    do {
      let address = DeviceAddress([0, 0, 0, 0, 0, 0])!
      let table = try definition.attributes(
        in: definition.context(settings: choice.settings, address: address))
      return RelayedDevice(
        device, as: definition, table, at: place.makeCentralSeat(endsOtherUse: endsOtherUse),
        pairing: pairing)
    } catch {
      throw .transport(
        TransportError(.invalid, "\(error)", hint: "change the setting with --set"))
    }
  }
}

extension TransportSpecification {
  /// What a central here and a device there would both have; nil: nothing. At a TCP port, each has a controller of its own.
  package func clash(with device: Self) -> DeviceClaim? {
    switch (self, device) {
    case (.exact(let own), .exact(let other)), (.exact(let own), .bluez(let other)):
      DeviceClaim.adapter(own).collides(with: .adapter(other)) ? .adapter(own) : nil
    case (.controller(.uart(let path, _)), .controller(let other)):
      DeviceClaim.file(path).collides(with: .controller(other)) ? .file(path) : nil
    default: nil
    }
  }

  /// The place of a central with blemu's own host.
  @EventLoop
  package func makeCentralSeat(endsOtherUse: Bool) -> CentralSeat {
    switch self {
    case .exact(let adapter): CentralSeat(adapter, endsOtherUse: endsOtherUse)
    case .controller(let place): CentralSeat(place)
    case .bluez, .loopback: preconditionFailure("only exact has a central with blemu's own host")
    }
  }
}

extension DefinitionChoice {
  /// The same for a relay: another device answers what no rule does.
  ///
  /// - Parameter keepsRules: whether the rules of its own file come first. Those that it extends describe the device, which is there
  ///   itself.
  package func relayed(keepsRules: Bool) -> DefinitionChoice {
    var relayed = definition
    relayed.isRelayed = true
    relayed.rules = keepsRules ? definition.rules.filter { $0.file == nil } : []
    (relayed.wire.bridge, relayed.wire.baud) = (nil, nil)
    for index in relayed.characteristics.indices { relayed.characteristics[index].longValues = .cut }
    return with(relayed)
  }
}
