import Bluetooth
import Definitions
import Framing

/// What bluetoothctl shows of a device: as it connects, with `list-attributes` and `attribute-info` of its menu `gatt`, and
/// with `info`.
///
/// The handles are in the paths of the attributes on the bus, as in `service000a/char000b/desc000d`: that of a characteristic is
/// its declaration's. The handles that bluetoothctl prints are others.
enum BluetoothctlListing {
  static func recognizes(_ line: String) -> Bool {
    line.hasPart("/org/bluez/") || headings.contains { line.hasPrefix($0) || line.hasPrefix("[NEW] " + $0) }
      || (line.hasPrefix("Device ") && line.hasSuffix(")"))
  }

  private static let headings = ["Primary Service", "Secondary Service", "Characteristic", "Descriptor"]

  static func read(
    _ lines: [TextListing.Line], _ file: ListingFile, into listing: inout DeviceListing
  ) throws(ListingMistake) {
    var reader = Reader(file: file)
    for (index, line) in lines.enumerated() {
      try reader.take(line, following: lines[(index + 1)...].prefix(2).map(\.text))
    }
    reader.fill(&listing)
  }

  private struct Characteristic {
    var uuid: BluetoothUUID
    var service: AttributeHandle
    var properties: CharacteristicProperties?
    var value: [UInt8]?

    mutating func add(_ property: CharacteristicProperties) {
      properties = (properties ?? []).union(property)
    }
    mutating func add(_ bytes: [UInt8]) { value = (value ?? []) + bytes }
  }

  private struct Reader {
    let file: ListingFile
    private var services: [AttributeHandle: (uuid: BluetoothUUID, isPrimary: Bool)] = [:]
    private var characteristics: [AttributeHandle: Characteristic] = [:]
    private var descriptors: [AttributeHandle: BluetoothUUID] = [:]
    private var isPrimary = true
    /// Of `attribute-info`: what it has said so far of a characteristic.
    private var infoUUID: BluetoothUUID?
    private var infoHandle: AttributeHandle?
    /// Of `info`.
    private var name: String?
    private var listed: [BluetoothUUID] = []
    private var company: UInt16?
    private var manufacturerData: [ManufacturerData] = []
    private enum Dump { case none, value, company(UInt16) }
    /// What the lines of hex that follow are.
    private var dump = Dump.none

    init(file: ListingFile) { self.file = file }

    mutating func take(_ line: TextListing.Line, following: [String]) throws(ListingMistake) {
      if continueDump(line.text) { return }
      var text = line.text
      if text.hasPrefix("[NEW] ") { text.removeFirst(6) }
      if text.hasPrefix("Secondary Service") { isPrimary = false }
      if text.hasPrefix("Primary Service") { isPrimary = true }
      if line.command != nil || text.hasPart(" - ") { (infoUUID, infoHandle) = (nil, nil) }
      if text.hasPrefix("/org/bluez/"), line.command == nil { return try takePath(text, line, following) }
      takeInfo(text)
    }

    /// The path of an attribute; its UUID is in the next line.
    private mutating func takePath(
      _ path: String, _ line: TextListing.Line, _ following: [String]
    ) throws(ListingMistake) {
      let parts = path.split(separator: "/")
      let handles = ["service", "char", "desc"].map { kind in
        parts.first { $0.hasPrefix(kind) }.map { ListedText.handle($0.dropFirst(kind.count)) }
      }
      guard handles[0] != nil else { return }
      guard let uuid = following.lazy.compactMap({ ListedText.uuid($0) }).first else {
        throw mistake("the UUID of this attribute is missing in the next line", line)
      }
      switch (handles[0], handles[1], handles[2]) {
      case (let service??, nil, nil): services[service] = (uuid, isPrimary)
      case (let service??, let characteristic??, nil):
        characteristics[characteristic] = Characteristic(uuid: uuid, service: service)
      case (.some, .some, let descriptor??): descriptors[descriptor] = uuid
      default: throw mistake("this path has no handles", line)
      }
    }

    private mutating func takeInfo(_ text: String) {
      guard let colon = text.firstIndex(of: ":") else { return }
      let value = text[text.index(after: colon)...].trimmed
      switch text[..<colon] {
      case "Name": name = value
      case "UUID":
        if let uuid = ListedText.uuid(value) {
          infoUUID = uuid
        } else if let open = value.lastIndex(of: "("), value.hasSuffix(")") {
          let inside = value[value.index(after: open)...].dropLast()
          if let uuid = ListedText.uuid(inside) { listed.append(uuid) }
        }
      case "Service":
        guard let service = value.split(separator: "/").last, service.hasPrefix("service"),
          let handle = ListedText.handle(service.dropFirst(7))
        else { return }
        let matching = characteristics.filter { $0.value.service == handle && $0.value.uuid == infoUUID }
        infoHandle = matching.count == 1 ? matching.first?.key : nil
      case "Flags":
        guard let infoHandle, let property = ListedText.property(value) else { return }
        characteristics[infoHandle]?.add(property)
      case "Value" where value.isEmpty: dump = infoHandle == nil ? .none : .value
      case "ManufacturerData Key": company = ListedText.handle(value.split(separator: " ").first ?? "")
      case "ManufacturerData Value":
        if let company { dump = .company(company) }
      default: break
      }
    }

    /// Takes a line such as `02 ff d1  ...`: up to 16 bytes, at least two spaces, and the bytes as text.
    private mutating func continueDump(_ text: String) -> Bool {
      if case .none = dump { return false }
      var bytes: [UInt8] = []
      for word in text.split(separator: " ", omittingEmptySubsequences: false) {
        guard word.utf8.count == 2, bytes.count < 16, let byte = UInt8(word, radix: 16) else { break }
        bytes.append(byte)
      }
      guard !bytes.isEmpty else {
        dump = .none
        return false
      }
      switch dump {
      case .value:
        if let infoHandle { characteristics[infoHandle]?.add(bytes) }
      case .company(let company):
        if let last = manufacturerData.last, last.company == company {
          manufacturerData[manufacturerData.count - 1].bytes += bytes
        } else {
          manufacturerData.append(.init(company: company, bytes: bytes))
        }
      case .none: break
      }
      return true
    }

    private func mistake(_ reason: String, _ line: TextListing.Line) -> ListingMistake {
      ListingMistake(reason, in: file.name, at: SourcePosition(line: line.number, column: 1))
    }

    func fill(_ listing: inout DeviceListing) {
      listing.name = name ?? listing.name
      if !manufacturerData.isEmpty { listing.manufacturerData = manufacturerData }
      for (handle, service) in services.sorted(by: { $0.key < $1.key }) {
        listing.add(service: service.uuid, isPrimary: service.isPrimary, at: handle, upTo: nil)
      }
      for (handle, found) in characteristics.sorted(by: { $0.key < $1.key }) where handle < 0xFFFF {
        listing.add(characteristic: found.uuid, found.properties, at: handle, value: handle + 1)
        if let value = found.value { listing.add(value: value, at: handle + 1) }
      }
      for (handle, type) in descriptors.sorted(by: { $0.key < $1.key }) {
        listing.add(attribute: type, at: handle)
      }
      if !services.isEmpty {
        listing.services = []
      } else if !listing.hasHandles {
        listing.services += listed.map { ObservedTable.Service(.init($0)) }
      }
      if listing.hasHandles { listing.closeList() }
    }
  }
}
