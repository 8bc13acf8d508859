/// The adapter that the user asks for.
package enum AdapterChoice: Hashable, Sendable {
  /// The first adapter that can be a peripheral, and that no device of blemu uses.
  case first
  /// For example `hci0`.
  case named(String)
  case address(DeviceAddress)

  /// Reads `hci0` or `00:1A:7D:DA:71:13`; nil for anything else.
  package init?(_ text: String) {
    if let address = DeviceAddress(text) {
      self = .address(address)
    } else if text.hasPrefix("hci"), let number = Int(text.dropFirst(3)), number >= 0 {
      self = .named(text)
    } else {
      return nil
    }
  }
}

/// A Bluetooth controller of this machine, with the kernel's number.
package struct LocalController: Hashable, Sendable {
  package var index: UInt16
  package var address: LinkAddress

  package init(index: UInt16, address: LinkAddress) {
    self.index = index
    self.address = address
  }

  /// For example `hci0`.
  package var name: String { "hci\(index)" }
}

extension AdapterChoice {
  /// Whether this adapter is meant.
  package func chooses(_ controller: LocalController) -> Bool {
    switch self {
    case .first: true
    case .named(let name): controller.name == name
    case .address(let address): controller.address.address == address
    }
  }

  /// As the user names it.
  package var name: String {
    switch self {
    case .first: "at all"
    case .named(let name): name
    case .address(let address): address.description
    }
  }
}
