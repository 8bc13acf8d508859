import Behavior
import Definitions
import DeviceModel

/// Names of attributes and of the wire side.
extension LineParser {
  /// `FFE1`, or `FFE1/2901` for a descriptor.
  func attribute(_ words: inout Words) throws(Diagnostic) -> AttributeReference {
    let token = try words.next(.characteristic(known: ids))
    let parts = (token.word ?? "").split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let index = try characteristic(String(parts.first ?? ""), token, words)
    guard parts.count == 2 else { return .characteristic(index) }
    let descriptors = definition.characteristics[index].descriptors.map(\.uuid.description)
    guard let descriptor = descriptors.firstIndex(of: parts[1].uppercased()) else {
      throw words.error(
        .unknownDescriptor(String(parts[1]), of: String(parts[0]), known: descriptors), at: token.range)
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
    if let index = ids.firstIndex(of: id) { return index }
    throw words.error(.unknownCharacteristic(id, known: ids), at: token.range)
  }

  private var ids: [String] { definition.characteristics.map(\.id) }

  /// Reads the word `wire`; an error if the device has no wire side.
  func wire(_ words: inout Words) throws(Diagnostic) {
    let token = try words.next(.wire)
    guard token.word == "wire" else { throw words.error(.notWire, at: token.range) }
    guard definition.hasWireSide else {
      throw words.error(.noWireSide(device: definition.name), at: token.range)
    }
  }
}
