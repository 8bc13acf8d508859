import Bluetooth
import Definitions
import Framing

/// The server configurations that nRF Connect for Android exports, also of a device that it has cloned.
enum ServerConfiguration {
  static func read(_ file: ListingFile) throws(ListingMistake) -> DeviceListing {
    let elements = try elements(of: file)
    guard let root = elements.first else { throw ListingMistake("there is no element", in: file.name) }
    switch root.name {
    case "server-configuration", "service": break
    case "macro":
      throw ListingMistake(
        "a macro does not list attributes", hint: "export the server configuration in nRF Connect",
        in: file.name)
    default:
      throw ListingMistake(
        "'<\(root.name)>' is not a server configuration of nRF Connect",
        hint: "such a file begins with <server-configuration>", in: file.name, at: root.place)
    }
    var listing = DeviceListing(.serverConfiguration)
    listing.name = root.name == "service" ? nil : root["name"]
    for element in root.name == "service" ? [elements] : elements.children(named: "service") {
      listing.services.append(try service(element, file))
    }
    guard !listing.services.isEmpty else {
      throw ListingMistake("the configuration has no services", in: file.name, at: root.place)
    }
    return listing
  }

  private static func elements(of file: ListingFile) throws(ListingMistake) -> ArraySlice<XMLElement> {
    let source = SourceText(name: file.name, text: String(decoding: file.bytes, as: UTF8.self))
    do throws(Diagnostic) { return try XMLScanner.elements(of: source)[...] } catch {
      throw ListingMistake(error.message, hint: error.hint, in: file.name, at: error.range.start)
    }
  }

  private static func service(
    _ element: ArraySlice<XMLElement>, _ file: ListingFile
  ) throws(ListingMistake) -> ObservedTable.Service {
    var service = ObservedTable.Service(.init(try uuid(of: element, file)))
    service.isPrimary = element.tag["type"]?.lowercased() != "secondary"
    for child in element.children(named: "characteristic") {
      service.characteristics.append(try characteristic(child, file))
    }
    return service
  }

  private static func characteristic(
    _ element: ArraySlice<XMLElement>, _ file: ListingFile
  ) throws(ListingMistake) -> ObservedTable.Characteristic {
    var characteristic = ObservedTable.Characteristic(.init(try uuid(of: element, file)))
    var properties: CharacteristicProperties = []
    for child in element.children(named: "property") {
      guard let property = child.tag["name"].flatMap({ ListedText.property($0) }) else {
        throw ListingMistake(
          "'\(child.tag["name"] ?? "")' is not a property", in: file.name, at: child.tag.place)
      }
      properties.insert(property)
    }
    characteristic.properties = properties
    characteristic.value = try value(of: element, file)
    characteristic.hasAllDescriptors = true
    for child in element.children(named: "descriptor") {
      var descriptor = ObservedTable.Descriptor(try uuid(of: child, file))
      descriptor.value = try value(of: child, file)
      characteristic.descriptors.append(descriptor)
    }
    return characteristic
  }

  private static func uuid(
    of element: ArraySlice<XMLElement>, _ file: ListingFile
  ) throws(ListingMistake) -> BluetoothUUID {
    let text = element.tag["uuid"] ?? ""
    guard let uuid = ListedText.uuid(text) else {
      throw ListingMistake(
        text.isEmpty ? "'<\(element.tag.name)>' has no uuid" : "'\(text)' is not a UUID", in: file.name,
        at: element.tag.place)
    }
    return uuid
  }

  /// A permission such as `READ_ENCRYPTED` is what a link without encryption is told: the device refuses.
  private static func value(
    of element: ArraySlice<XMLElement>, _ file: ListingFile
  ) throws(ListingMistake) -> ObservedValue {
    var value = ObservedValue()
    let permissions = element.children(named: "permission").compactMap { $0.tag["name"]?.uppercased() }
    if let error = refusal(of: "READ", permissions) {
      value.readings.append(.init(.refused(error), at: Instant()))
    }
    if let error = refusal(of: "WRITE", permissions) {
      value.refusedWrites.append(.init(error, at: Instant()))
    }
    if let text = element.tag["value"], !text.isEmpty {
      guard let bytes = ListedText.bytes(text) else {
        throw ListingMistake("'\(text)' is not bytes in hex", in: file.name, at: element.tag.place)
      }
      value.readings.append(.init(.success(bytes), at: Instant()))
    }
    return value
  }

  private static func refusal(of access: String, _ permissions: [String]) -> ATTError? {
    guard let permission = permissions.first(where: { $0.hasPrefix("\(access)_ENCRYPTED") }) else {
      return nil
    }
    return permission.hasSuffix("MITM") ? .insufficientAuthentication : .insufficientEncryption
  }
}

/// An element and all that it contains.
extension ArraySlice<XMLElement> {
  fileprivate var tag: XMLElement { self[startIndex] }

  fileprivate func children(named name: String) -> [Self] {
    indices.filter { self[$0].depth == tag.depth + 1 && self[$0].name == name }.map { start in
      self[start...].prefix { $0.place == self[start].place || $0.depth > self[start].depth }
    }
  }
}
