import BlueZLimits
import Bluetooth
import DBus
import EventLoop

/// An advertisement as an `org.bluez.LEAdvertisement1` object.
extension ExportedObject {
  /// - Parameter onRelease: called when BlueZ ends the advertisement by itself.
  convenience init(
    advertising advertisement: Advertisement, onRelease: @escaping @EventLoop @Sendable () -> Void
  ) {
    let release = DBusMethod("Release") { call in
      call.reply()
      onRelease()
    }
    let sent = SentAdvertisement(advertisement) { .installed }
    let properties = sent.main.properties + sent.response.content.map { ("ScanResponse" + $0.0, $0.1) }
    self.init(
      path: BlueZ.advertisementPath,
      interfaces: [
        DBusInterface(
          BlueZ.advertisement, properties: properties.map { DBusProperty($0.0, $0.1) }, methods: [release])
      ])
  }
}

extension Advertisement {
  /// Only the fields that are set: BlueZ sends a field whose property exists.
  fileprivate var properties: [(String, DBusValue)] {
    var properties: [(String, DBusValue)] = [
      ("Type", .string(isConnectable ? "peripheral" : "broadcast"))
    ]
    if isDiscoverable { properties.append(("Discoverable", true)) }
    if let localName { properties.append(("LocalName", .string(localName))) }
    properties += content
    if let appearance { properties.append(("Appearance", .uint16(appearance))) }
    if let txPower {
      properties.append(("Includes", .strings(["tx-power"])))
      properties.append(("TxPower", .int16(Int16(txPower))))
    }
    return properties + timing
  }

  /// What either packet may have.
  fileprivate var content: [(String, DBusValue)] {
    var properties: [(String, DBusValue)] = []
    if !serviceUUIDs.isEmpty { properties.append(("ServiceUUIDs", .strings(serviceUUIDs.map(\.fullText)))) }
    if !manufacturerData.isEmpty { properties.append(("ManufacturerData", manufacturerDictionary)) }
    if !serviceData.isEmpty {
      properties.append(
        ("ServiceData", .dictionary(serviceData.map { ($0.uuid.fullText, .bytes($0.bytes)) })))
    }
    if !rawStructures.isEmpty { properties.append(("Data", rawDictionary)) }
    return properties
  }

  private var manufacturerDictionary: DBusValue {
    .array(
      of: "{qv}",
      manufacturerData.map { .dictEntry(key: .uint16($0.company), value: .variant(.bytes($0.bytes))) })
  }

  private var rawDictionary: DBusValue {
    .array(
      of: "{yv}",
      rawStructures.map { .dictEntry(key: .byte($0.type.rawValue), value: .variant(.bytes($0.value))) })
  }

  /// The intervals in milliseconds, the timeout in seconds.
  private var timing: [(String, DBusValue)] {
    var timing: [(String, DBusValue)] = []
    if let interval {
      timing.append(("MinInterval", .uint32(UInt32(interval.lowerBound.milliseconds))))
      timing.append(("MaxInterval", .uint32(UInt32(interval.upperBound.milliseconds))))
    }
    if let timeout {
      timing.append(("Timeout", .uint16(UInt16(clamping: max(1, timeout.components.seconds)))))
    }
    return timing
  }
}
