import Bluetooth

/// An advertisement whose parts may come from settings.
package struct AdvertisementTemplate: Sendable {
  package var localName: ValueTemplate?
  package var services: [BluetoothUUID] = []
  package var manufacturerData: [(company: UInt16, value: ValueTemplate)] = []
  package var serviceData: [(uuid: BluetoothUUID, value: ValueTemplate)] = []
  /// Whole AD structures, for what has no key of its own.
  package var raw: [(type: AdvertisingDataType, value: ValueTemplate)] = []
  /// dBm.
  package var txPower: Int8?
  package var appearance: UInt16?
  package var isDiscoverable = true
  package var isConnectable = true
  package var interval: ClosedRange<AdvertisingInterval>?
  /// After which advertising ends; nil: never.
  package var timeout: Duration?

  package init() {}

  /// What is to be advertised with these settings.
  ///
  /// - Throws: ``EvaluationError`` or ``EncodingError``.
  package func resolved(in context: EvaluationContext) throws -> Advertisement {
    var advertisement = Advertisement()
    advertisement.localName = try localName.map {
      String(decoding: try $0.render(in: context), as: UTF8.self)
    }
    advertisement.serviceUUIDs = services
    advertisement.manufacturerData = try manufacturerData.map {
      ManufacturerData(company: $0.company, bytes: try $0.value.render(in: context))
    }
    advertisement.serviceData = try serviceData.map {
      ServiceData(uuid: $0.uuid, bytes: try $0.value.render(in: context))
    }
    advertisement.rawStructures = try raw.map { ADStructure($0.type, try $0.value.render(in: context)) }
    advertisement.txPower = txPower
    advertisement.appearance = appearance
    advertisement.isDiscoverable = isDiscoverable
    advertisement.isConnectable = isConnectable
    advertisement.interval = interval
    advertisement.timeout = timeout
    return advertisement
  }
}
