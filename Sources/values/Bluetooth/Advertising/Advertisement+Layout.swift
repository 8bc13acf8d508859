/// The parts of an advertisement that a device has in each legacy packet, in the order on the air.
package struct PacketLayout: Hashable, Sendable {
  /// Each `bytes` stands for the next of ``Advertisement/packetBytes``.
  package var advertisingData: [AdvertisingField.Content]
  /// Likewise, for those that are left.
  package var scanResponse: [AdvertisingField.Content]

  package init(
    advertisingData: [AdvertisingField.Content] = [], scanResponse: [AdvertisingField.Content] = []
  ) {
    (self.advertisingData, self.scanResponse) = (advertisingData, scanResponse)
  }
}

// The parts of an advertisement in the order of a packet.
extension Advertisement {
  /// The fields of a packet that has these parts; the name gets the room that the others leave.
  ///
  /// - Parameter bytes: what each `bytes` stands for.
  package func fields(
    _ contents: [AdvertisingField.Content], bytes: ArraySlice<[UInt8]> = [], room: Int
  ) -> [AdvertisingField] {
    // Raw Flags replace those of their own packet.
    let contents = contents.contains(.raw) && hasRawFlags ? contents.filter { $0 != .flags } : contents
    let others = contents.filter { $0 != .localName }.flatMap(fields).size + bytes.reduce(0) { $0 + $1.count }
    let rest = room - others - 2
    var bytes = bytes
    return contents.flatMap { content in
      switch content {
      case .localName: nameFields(room: rest > 0 ? rest : .max)
      case .bytes: bytes.popFirst().map { [AdvertisingField(.bytes, $0)] } ?? []
      default: fields(content)
      }
    }
  }

  package var hasRawFlags: Bool { rawStructures.contains { $0.type == .flags } }

  package var flagsField: AdvertisingField { .flags(isDiscoverable ? 0x06 : 0x04) }

  /// The fields of a part other than the name.
  private func fields(_ content: AdvertisingField.Content) -> [AdvertisingField] {
    switch content {
    case .flags: [flagsField]
    case .services: serviceFields
    case .incompleteServices: incompleteServiceFields
    case .manufacturerData: manufacturerFields
    case .serviceData: serviceDataFields
    case .appearance: appearanceFields
    case .raw: rawFields
    case .txPower: powerFields
    case .localName, .bytes: []
    }
  }
}
