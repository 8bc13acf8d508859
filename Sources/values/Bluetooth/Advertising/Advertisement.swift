/// The content of a peripheral's advertising, before it is laid out in packets.
package struct Advertisement: Hashable, Sendable {
  package var localName: String?
  package var serviceUUIDs: [BluetoothUUID] = []
  package var manufacturerData: [ManufacturerData] = []
  package var serviceData: [ServiceData] = []

  /// In dBm.
  package var txPower: Int8?
  package var appearance: UInt16?

  /// In general discoverable mode (Core Specification, Vol 3 Part C 9.2.4).
  package var isDiscoverable = true

  /// A connectable peripheral; otherwise a broadcaster.
  package var isConnectable = true

  /// Whether a broadcaster answers scans; nil: if it has a scan response.
  package var isScannable: Bool?

  /// Whether it would be connectable if fewer centrals were connected.
  package private(set) var isFull = false

  /// The centrals that may connect, by whichever set.
  package var accepted = AcceptedCentrals.all

  /// The only device that may connect; nil: any.
  package var target: LinkAddress?

  package var channels = AdvertisingChannels.all

  /// nil: legacy advertising, which every device receives.
  package var phy: AdvertisingPHY?

  package var interval: ClosedRange<AdvertisingInterval>?

  /// How long to advertise; nil: until it is stopped.
  package var timeout: Duration?

  /// The packets as the device has them; nil: the transport lays them out.
  package var layout: PacketLayout?

  /// The bytes between the fields of its ``layout``, in order.
  package var packetBytes: [[UInt8]] = []

  /// AD structures given byte by byte.
  package var rawStructures: [ADStructure] = []

  /// The name of an advertising set besides the main one; empty: it is the main one.
  package var name = ""

  /// Whether a further set is advertised now.
  package var isShown = true

  /// Where its address comes from; nil: the device has the adapter's, and a further set has the main one's.
  package var addressScheme: AddressScheme?

  /// The address that it has now; nil: the adapter's.
  package var address: SetAddress?

  /// The further advertisements of the device, each in its own advertising set.
  package var furtherSets: [Advertisement] = []

  /// Whether the sets are those of as many advertisers, each of which seems to be a device of its own. They take turns if a controller
  /// has not enough sets.
  package var isCrowd = false

  package init() {}

  /// The main set and the further ones.
  package var allSets: [Self] { [self] + furtherSets }

  /// Those that are advertised now.
  package var shownSets: [Self] { allSets.filter(\.isShown) }

  /// The main set alone.
  package var withoutFurtherSets: Self {
    var main = self
    main.furtherSets = []
    return main
  }

  /// The same data, while as many centrals are connected as the device takes.
  package var full: Self {
    var full = self
    full.isFull = true
    full.furtherSets = furtherSets.map(\.full)
    guard isConnectable else { return full }
    (full.isConnectable, full.target) = (false, nil)
    // A scannable extended advertisement would have all data in its scan response.
    if phy == nil { full.isScannable = true }
    return full
  }
}

/// A company and the bytes it defines.
package struct ManufacturerData: Hashable, Sendable {
  package var company: CompanyIdentifier
  package var bytes: [UInt8]

  package init(company: CompanyIdentifier, bytes: [UInt8]) {
    self.company = company
    self.bytes = bytes
  }

  package var structure: ADStructure {
    let low = UInt8(truncatingIfNeeded: company)
    let high = UInt8(truncatingIfNeeded: company >> 8)
    return ADStructure(.manufacturerData, [low, high] + bytes)
  }
}

/// A service and the bytes it defines.
package struct ServiceData: Hashable, Sendable {
  package var uuid: BluetoothUUID
  package var bytes: [UInt8]

  package init(uuid: BluetoothUUID, bytes: [UInt8]) {
    self.uuid = uuid
    self.bytes = bytes
  }

  package var structure: ADStructure {
    ADStructure(.serviceData(uuid.width), uuid.littleEndianBytes + bytes)
  }
}

/// The first two bytes of manufacturer data ("Assigned Numbers", section 7), least significant
/// byte first on the air.
package typealias CompanyIdentifier = UInt16
