import Behavior
import Bluetooth
import Definitions
import DeviceModel

/// Names of attributes and of the wire side.
extension LineParser {
  /// `FFE1`, or `FFE1/2901` for a descriptor. A UUID may stand for the id.
  func attribute(_ words: inout Words) throws(Diagnostic) -> AttributeReference {
    let token = try words.next(.characteristic(known: ids))
    let parts = (token.word ?? "").split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let index = try characteristic(String(parts.first ?? ""), token, words)
    guard parts.count == 2 else { return .characteristic(index) }
    let descriptors = definition.characteristics[index].descriptors.map(\.uuid)
    guard let descriptor = BluetoothUUID(String(parts[1])).flatMap(descriptors.firstIndex) else {
      throw words.error(
        .unknownDescriptor(
          String(parts[1]), of: String(parts[0]), known: descriptors.map(\.description)), at: token.range)
    }
    return .descriptor(descriptor, of: index)
  }

  /// Reads the id of a characteristic that notifies or indicates.
  func notifying(_ words: inout Words) throws(Diagnostic) -> Int {
    let token = try words.next(.characteristic(known: ids))
    let index = try characteristic(token.word ?? "", token, words)
    guard definition.characteristics[index].canNotify else {
      throw words.error(.cannotNotify(definition.characteristics[index].id), at: token.range)
    }
    return index
  }

  private func characteristic(_ id: String, _ token: Token, _ words: Words) throws(Diagnostic) -> Int {
    let found = definition.characteristics(named: id)
    if found.count == 1 { return found[0] }
    if found.isEmpty, layerNames.contains(id) { throw words.error(.layerAsPlace(id), at: token.range) }
    if found.isEmpty { throw words.error(.unknownCharacteristic(id, known: ids), at: token.range) }
    throw words.error(.severalCharacteristics(id, ids: found.map { ids[$0] }), at: token.range)
  }

  private var ids: [String] { definition.characteristics.map(\.id) + channelIDs + soughtIDs }

  private var channelIDs: [String] { definition.channels.map(\.id) }

  private var soughtIDs: [String] { definition.sought.map(\.id) }

  private var layerNames: [String] { definition.layers.map(\.name) }

  /// Reads the id of a channel, or of what the device seeks at the central; nil: it is that of neither.
  func otherPlace(_ words: inout Words) -> Endpoint? {
    guard let id = words.peek?.word else { return nil }
    let place =
      channelIDs.firstIndex(of: id).map { Endpoint.channel($0) }
      ?? soughtIDs.firstIndex(of: id).map { .sought($0) }
    if place != nil { _ = words.next() }
    return place
  }

  /// Reads the id of a channel.
  func channel(_ words: inout Words) throws(Diagnostic) -> Int {
    let token = try words.next(.channel(known: channelIDs))
    if let index = channelIDs.firstIndex(of: token.word ?? "") { return index }
    throw words.error(.unknownChannel(token.word ?? "", known: channelIDs), at: token.range)
  }

  /// Reads the id of what the device seeks at the central.
  func sought(_ words: inout Words) throws(Diagnostic) -> Int {
    let token = try words.next(.sought(known: soughtIDs))
    if let index = soughtIDs.firstIndex(of: token.word ?? "") { return index }
    throw words.error(.notSought(token.word ?? "", known: soughtIDs), at: token.range)
  }

  /// Reads the name of a place that sends: a characteristic, a channel, what the device seeks, or `wire`.
  func placeOfSending(_ words: inout Words) throws(Diagnostic) -> String {
    if let place = try wireOrOther(&words) { return place }
    return definition.characteristics[try notifying(&words)].id
  }

  /// Reads the name of a place that receives: an attribute, a channel, what the device seeks, or `wire`.
  func placeOfReceiving(_ words: inout Words) throws(Diagnostic) -> String {
    if let place = try wireOrOther(&words) { return place }
    return definition.name(of: try attribute(&words))
  }

  private func wireOrOther(_ words: inout Words) throws(Diagnostic) -> String? {
    if let name = words.peek?.word, layerNames.contains(name) {
      _ = words.next()
      return name
    }
    guard words.peek?.word == "wire" else { return otherPlace(&words).map(definition.name(of:)) }
    try wire(&words)
    return "wire"
  }

  /// Reads the word `wire`; an error if the device has no wire side.
  func wire(_ words: inout Words) throws(Diagnostic) {
    let token = try words.next(.wire)
    guard token.word == "wire" else { throw words.error(.notWire, at: token.range) }
    guard definition.hasWireSide else {
      throw words.error(.noWireSide(device: definition.name), at: token.range)
    }
  }
}

extension PeripheralDefinition {
  /// The characteristics that a name may mean, by index: the one with this id, otherwise those with this UUID
  /// (of a UUID that depends on settings, only the id is a name).
  package func characteristics(named name: String) -> [Int] {
    if let index = characteristics.firstIndex(where: { $0.id == name }) { return [index] }
    guard let uuid = BluetoothUUID(name) else { return [] }
    return characteristics.indices.filter { characteristics[$0].uuid.literal == uuid }
  }
}
