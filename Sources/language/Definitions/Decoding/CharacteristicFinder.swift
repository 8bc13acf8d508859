import Bluetooth
import DeviceModel

/// Finds the characteristics that other sections name, and reports unknown names.
struct CharacteristicFinder {
  let all: [CharacteristicDefinition]
  let log: DiagnosticLog
  private let indices: [String: Int]
  /// The ids of the channels.
  private let channels: [String]
  /// The ids of what the device looks for at its centrals.
  private let sought: [String]
  /// The names of the layers.
  private let layers: [String]
  /// The characteristics whose requests rules never see.
  private let serverValues: Set<Int>

  init(_ device: PeripheralDefinition, log: DiagnosticLog) {
    (all, self.log) = (device.characteristics, log)
    serverValues = device.serverValues
    channels = device.channels.map(\.id)
    sought = device.sought.map(\.id)
    layers = device.layers.map(\.name)
    indices = Dictionary(device.characteristics.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }

  /// Whether a mistake that has been reported may hide characteristics.
  private var isIncomplete: Bool {
    log.gaps.hasGap(in: Language.Definition.outline.keys.services) || lacksChannels || lacksSought
      || log.gaps.hasGap(in: Language.Definition.outline.keys.layers)
  }

  private var lacksChannels: Bool { log.gaps.hasGap(in: Language.Definition.outline.keys.channels) }

  private var lacksSought: Bool { log.gaps.hasGap(in: Language.Definition.outline.keys.client) }

  /// - Parameter others: the other names that are possible there.
  func characteristic(_ id: Scalar, orAt others: [String] = []) -> Int? {
    if let index = indices[id.text] { return index }
    guard !isIncomplete else { return nil }
    if channels.contains(id.text) {
      log.error(.channelAsCharacteristic(id: id.text), at: id.range)
    } else if sought.contains(id.text) {
      log.error(.characteristicOfCentral(id: id.text), at: id.range)
    } else if layers.contains(id.text) {
      log.error(.layerAsCharacteristic(id.text), at: id.range)
    } else {
      log.error(.unknownCharacteristic(id: id.text, known: all.map(\.id) + others), at: id.range)
    }
    return nil
  }

  func channel(_ id: Scalar) -> Int? {
    if let index = channels.firstIndex(of: id.text) { return index }
    guard !lacksChannels else { return nil }
    log.error(.unknownChannel(id: id.text, known: channels), at: id.range)
    return nil
  }

  /// What the device looks for, by its id.
  func sought(_ id: Scalar) -> Int? {
    if let index = sought.firstIndex(of: id.text) { return index }
    guard !lacksSought else { return nil }
    log.error(.unknownSought(id: id.text, known: sought), at: id.range)
    return nil
  }

  /// Whether the device looks for anything.
  func looksForSomething(at place: SourceRange) -> Bool {
    if sought.isEmpty, !lacksSought { log.error(.nothingSought, at: place) }
    return !sought.isEmpty
  }

  /// A place that takes bytes of centrals, or one that sends bytes to them.
  ///
  /// - Parameters:
  ///   - isOfDevice: whether it has to be an attribute or a channel of the device.
  ///   - others: the other names that are possible there.
  func place(
    _ id: Scalar, isOfDevice: Bool = false, orAt others: [String] = [], _ find: (Scalar, [String]) -> Int?
  ) -> Rule.Endpoint? {
    if let index = channels.firstIndex(of: id.text) { return .channel(index) }
    let (sought, layers) = isOfDevice ? ([], []) : (sought, layers)
    if let index = sought.firstIndex(of: id.text) { return .sought(index) }
    if let index = layers.firstIndex(of: id.text) { return .layer(index) }
    let known = channels + sought + layers + others
    if !isOfDevice, layers.isEmpty, indices[id.text] == nil, !isIncomplete, Identifier.isValid(id.text),
      Suggestion.nearest(to: id.text, in: all.map(\.id) + known) == nil
    {
      log.error(.unknownPlace(id.text, known: all.map(\.id) + known), at: id.range)
      return nil
    }
    return find(id, known).map { .characteristic($0) }
  }

  /// The layer that a rule for `send` names.
  func layer(_ id: Scalar) -> Int? {
    if let index = layers.firstIndex(of: id.text) { return index }
    guard !log.gaps.hasGap(in: Language.Definition.outline.keys.layers) else { return nil }
    log.error(.notLayer(id.text, known: layers), at: id.range)
    return nil
  }

  func writable(_ id: Scalar, orAt others: [String] = []) -> Int? {
    guard let index = characteristic(id, orAt: others), isDevices(index, id) else { return nil }
    if all[index].canBeWritten { return index }
    log.error(.notWritable(id: id.text), at: id.range)
    return nil
  }

  func notifying(_ id: Scalar, orAt others: [String] = []) -> Int? {
    guard let index = characteristic(id, orAt: others) else { return nil }
    if all[index].canNotify { return index }
    log.error(.notNotifying(id: id.text), at: id.range)
    return nil
  }

  /// Whether the device itself has the value, so that rules see its requests.
  private func isDevices(_ index: Int, _ name: Scalar) -> Bool {
    guard serverValues.contains(index) else { return true }
    log.error(.serverValue(id: all[index].id), at: name.range)
    return false
  }

  /// A place where bytes arrive.
  func endpoint(_ name: Scalar) -> Rule.Endpoint? {
    if name.text == "wire" { return .wire }
    return place(name, orAt: ["wire"]) { writable($0, orAt: $1) }
  }

  /// Places that are named one by one.
  func endpoints(_ names: [Scalar]) -> [Rule.Endpoint] {
    var endpoints: [Rule.Endpoint] = []
    for name in names {
      guard let endpoint = endpoint(name) else { continue }
      if endpoints.contains(endpoint) {
        log.error(.second(name.text), at: name.range)
      } else {
        endpoints.append(endpoint)
      }
    }
    return endpoints
  }
}

// MARK: Attributes

/// A rule may wait for requests to a characteristic, `serial`, or to one of its descriptors, `serial/2901`.
extension CharacteristicFinder {
  /// The trigger of a rule that names an attribute to read.
  func readAttribute(_ name: Scalar) -> Rule.Trigger? {
    guard let attribute = attribute(name) else { return nil }
    if all.canRead(attribute) { return .read(attribute) }
    log.error(.notReadable(id: name.text), at: name.range)
    return nil
  }

  /// The trigger of a rule that names an attribute to write. Everything that notifies has a Client Characteristic
  /// Configuration (2902), which belongs to the server.
  func writtenAttribute(_ name: Scalar) -> Rule.Trigger? {
    let (id, descriptor) = Self.parts(of: name)
    if let index = indices[id], descriptor.flatMap({ BluetoothUUID($0) }) == Self.configuration,
      all[index].canNotify, all[index].cccd != .none
    {
      return .configured(index)
    }
    guard let attribute = attribute(name) else { return nil }
    if all.canWrite(attribute) { return .written(attribute) }
    log.error(.notWritable(id: name.text), at: name.range)
    return nil
  }

  private static let configuration: BluetoothUUID = 0x2902

  private static func parts(of name: Scalar) -> (id: String, descriptor: String?) {
    let parts = name.text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    return (parts[0], parts.dropFirst().first)
  }

  private func attribute(_ name: Scalar) -> AttributeReference? {
    let (id, descriptor) = Self.parts(of: name)
    guard let index = indices[id] else {
      guard !isIncomplete else { return nil }
      log.error(.unknownCharacteristic(id: id, known: all.map(\.id)), at: name.range)
      return nil
    }
    guard let descriptor else { return isDevices(index, name) ? .characteristic(index) : nil }
    // In a characteristic that does not notify, it is an ordinary descriptor.
    let isServers = { $0 == Self.configuration && all[index].properties.delivery != nil }
    let uuids = all[index].descriptors.map(\.uuid)
    let uuid = BluetoothUUID(descriptor)
    if let number = uuids.firstIndex(where: { $0 == uuid && !isServers($0) }) {
      return .descriptor(number, of: index)
    }
    let known = uuids.filter { !isServers($0) }
    log.error(.unknownDescriptor(descriptor, of: id, known: known), at: name.range)
    return nil
  }
}
