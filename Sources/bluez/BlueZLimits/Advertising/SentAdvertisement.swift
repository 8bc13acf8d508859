import Bluetooth

/// An advertisement as a program gives it to BlueZ.
///
/// From ``BlueZVersion/sendsScanResponses`` on, the properties of `org.bluez.LEAdvertisement1` that begin with
/// `ScanResponse` choose what is in the scan response. Before, it has only the name.
package struct SentAdvertisement: Hashable, Sendable {
  /// The advertising data, and the name, which BlueZ always puts into the scan response.
  package private(set) var main: Advertisement
  /// What the scan response has besides the name. Only its services, manufacturer data, service data and raw structures
  /// count.
  package private(set) var response = Advertisement()
  /// Who decides what is in which packet.
  private(set) var decision = Decision.bluez

  enum Decision {
    case bluez
    /// BlueZ could follow the definition, but would cut the name.
    case name
    case definition
  }

  /// - Parameter version: the version of BlueZ, if it is known. It is asked only if the advertisement has a scan response.
  package init(_ advertisement: Advertisement, to version: () -> BlueZVersion?) {
    main = advertisement
    // BlueZ takes nothing for discoverable to which no central may connect.
    if main.isFull { main.isDiscoverable = main.isDiscoverable && main.isConnectable }
    guard let layout = main.layout, !layout.scanResponse.isEmpty else { return }
    var moved = self
    moved.move(layout)
    if layout.scanResponse.contains(.raw) { main.rawStructures.removeAll(where: \.type.isRefusedAsRawData) }
    guard moved.response != Advertisement(), version().map({ $0 >= .sendsScanResponses }) ?? false else {
      return
    }
    let cutsName = !layout.scanResponse.contains(.localName) && moved.cutsName
    if cutsName, main.countedFields.size <= AdvertisingData.legacyCapacity {
      decision = .name
    } else {
      self = moved
      decision = .definition
      if roomForName < 1 { main.localName = nil }
    }
  }

  private mutating func move(_ layout: PacketLayout) {
    defer {
      main.takeRawStructures()
      response.takeRawStructures()
    }
    for content in layout.scanResponse {
      switch content {
      case .services, .incompleteServices:
        response.serviceUUIDs = main.serviceUUIDs
        let isInBoth = layout.advertisingData.contains { $0 == .services || $0 == .incompleteServices }
        if !isInBoth { main.serviceUUIDs = [] }
      case .manufacturerData: swap(&response.manufacturerData, &main.manufacturerData)
      case .serviceData: swap(&response.serviceData, &main.serviceData)
      case .raw: swap(&response.rawStructures, &main.rawStructures)
      case .flags, .appearance, .txPower, .localName, .bytes: break  // BlueZ has one place for each
      }
    }
  }

  /// The fields of the scan response besides the name: those before it, and those after it (`bt_ad_generate` of
  /// src/shared/ad.c).
  private var fieldsAroundName: (before: [AdvertisingField], after: [AdvertisingField]) {
    (response.serviceFields + response.manufacturerFields + response.serviceDataFields, response.rawFields)
  }

  /// Likewise, all of them.
  var responseFields: [AdvertisingField] { fieldsAroundName.before + fieldsAroundName.after }

  /// The longest name that the scan response has room for, bytes. BlueZ cuts a longer one.
  var roomForName: Int { AdvertisingData.legacyCapacity - 2 - responseFields.size }

  private var cutsName: Bool { main.localName.map { $0.utf8.count > roomForName } ?? false }

  /// The scan response.
  var scanResponseFields: [AdvertisingField] {
    let (before, after) = fieldsAroundName
    return before + main.nameFields(room: roomForName) + after
  }
}

extension Advertisement {
  /// Makes raw structures that BlueZ refuses the services and data of their keys, as far as it sends the same bytes for
  /// them.
  fileprivate mutating func takeRawStructures() {
    rawStructures.removeAll { structure in
      let data = AdvertisingData([structure])
      if structure.type.isCompleteList, !data.serviceUUIDs.isEmpty {
        serviceUUIDs += data.serviceUUIDs
      } else if let own = structure.manufacturerData,
        !manufacturerData.contains(where: { $0.company == own.company })
      {
        manufacturerData.append(own)
      } else if let own = structure.serviceData, !serviceData.contains(where: { $0.uuid == own.uuid }) {
        serviceData.append(own)
      } else {
        return false
      }
      return true
    }
  }
}

extension ADStructure {
  fileprivate var manufacturerData: ManufacturerData? {
    guard type == .manufacturerData, value.count > 2 else { return nil }
    return ManufacturerData(
      company: UInt16(value[0]) | UInt16(value[1]) << 8, bytes: Array(value.dropFirst(2)))
  }

  fileprivate var serviceData: ServiceData? {
    for width in [BluetoothUUID.Width.bits16, .bits32, .bits128]
    where type == .serviceData(width) && value.count > width.rawValue {
      guard let uuid = BluetoothUUID(littleEndianBytes: value.prefix(width.rawValue)) else { return nil }
      return ServiceData(uuid: uuid, bytes: Array(value.dropFirst(width.rawValue)))
    }
    return nil
  }
}

extension AdvertisingDataType {
  fileprivate var isCompleteList: Bool {
    widthOfServiceUUIDs.map { self == .completeServiceUUIDs($0) } ?? false
  }
}
