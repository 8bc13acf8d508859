import Bluetooth
import Definitions
import DeviceModel

/// Attributes that BlueZ has of its own.
struct AttributeCheck {
  let file: ReadDefinition
  let log: DiagnosticLog

  func run() {
    for service in services {
      checkService(service)
      for characteristic in characteristics(of: service) { checkDescriptors(of: characteristic) }
    }
    checkOtherSettings()
  }

  private var services: [YAMLNode] { file.root["services"]?.elements ?? [] }

  private func characteristics(of service: YAMLNode) -> [YAMLNode] {
    service["characteristics"]?.elements ?? []
  }

  private func checkService(_ node: YAMLNode) {
    guard let place = node["uuid"], let uuid = place.text.flatMap({ BluetoothUUID($0) }) else { return }
    switch uuid {
    case 0x1800, 0x1801:
      let name = uuid.name ?? "this service"
      log.error(
        "BlueZ has \(name) (\(uuid)) of its own, and refuses another", at: place.range, hint: "remove it")
    case 0x180A:
      log.warn(
        "BlueZ has Device Information (180A) of its own, which comes first", at: place.range,
        hint: "'DeviceID = false' under [General] in bluetoothd's main.conf takes it away")
    default: break
    }
  }

  /// Whether a UUID that comes from settings is one of BlueZ's with settings that decide over it. The first case is
  /// enough.
  private func checkOtherSettings() {
    guard !log.hasErrors, !file.definition.services.isEmpty else { return }
    for other in [ValueCase(context: file.definition.initialContext)] + file.definition.attributeCases {
      do { _ = try file.definition.attributes(in: other.context) } catch let error as AttributeTableError {
        guard case .reserved = error.reason, case .service(let index, _) = error.place else { return }
        let place = services[index]["uuid"] ?? services[index]
        return log.error("\(other.circumstance)\(error.reason)", at: place.startRange)
      } catch {
        return
      }
    }
  }
}

extension AttributeCheck {
  private func checkDescriptors(of characteristic: YAMLNode) {
    let words = characteristic["properties"]?.elements.compactMap(\.text) ?? []
    for descriptor in characteristic["descriptors"]?.elements ?? [] {
      if let place = descriptor["uuid"] { checkDescriptor(place, words) }
    }
  }

  /// BlueZ makes the descriptors that follow from a characteristic's properties (Vol 3 Part G 3.3.3.1 and 3.3.3.3).
  private func checkDescriptor(_ place: YAMLNode, _ properties: [String]) {
    let extending = ["reliable-write", "writable-auxiliaries"]
    switch place.text.flatMap({ BluetoothUUID($0) }) {
    case 0x2902:
      log.error(
        "BlueZ makes the Client Characteristic Configuration (2902) itself", at: place.range,
        hint: "remove it; 'notify' or 'indicate' brings it")
    case 0x2900 where properties.contains(where: extending.contains):
      log.error(
        "BlueZ makes the Characteristic Extended Properties (2900) itself", at: place.range,
        hint: "remove it; 'reliable-write' or 'writable-auxiliaries' brings it")
    case 0x2900 where !properties.contains("extended-properties"):
      log.warn(
        "2900 tells of extended properties, and this characteristic has none", at: place.range,
        hint: "'reliable-write' or 'writable-auxiliaries' brings it")
    default: break
    }
  }
}
