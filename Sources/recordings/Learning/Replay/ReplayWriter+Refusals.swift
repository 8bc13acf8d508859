import Bluetooth
import DefinitionWriter
import Framing

// What the device refuses.
extension ReplayWriter {
  /// What the properties and the permissions refuse by themselves.
  static let impliedErrors: Set<ATTError> = [
    .writeNotPermitted, .insufficientAuthentication, .insufficientEncryption, .encryptionKeySizeTooShort,
  ]

  /// The rules for what is refused whatever came before: writes to descriptors, writes before a subscription, requests.
  mutating func add(_ refusals: RecordedRefusals) {
    for characteristic in table.characteristics {
      for descriptor in characteristic.descriptors where !descriptor.value.isWritten {
        guard let error = descriptor.value.refusedWrites.first?.error, !Self.impliedErrors.contains(error)
        else { continue }
        definition.rules.append(
          refusal(
            of: "\(table.id(of: characteristic))/\(descriptor.uuid)", error))
      }
    }
    for (handle, error) in refusals.unsubscribed.sorted(by: { $0.key < $1.key }) {
      guard let id = writtenID(of: handle), !Self.impliedErrors.contains(error) else { continue }
      definition.rules.append(refusal(of: id, if: "not subscribed('\(id)')", error))
    }
    for (request, error) in refusals.always {
      guard let id = writtenID(of: request.handle), !Self.impliedErrors.contains(error) else { continue }
      let condition = "value == bytes('\(HexText.format(request.value))')"
      definition.rules.append(refusal(of: id, if: condition, error))
    }
  }

  /// The id of a characteristic that can be written.
  func writtenID(of handle: AttributeHandle) -> String? {
    table.characteristic(of: handle)?.canBeWritten == true ? table.id(of: handle) : nil
  }

  func refusal(of id: String, if condition: String? = nil, first: [YAMLValue] = [], _ error: ATTError)
    -> YAMLValue
  {
    let refuse = YAMLValue.object([.init("refuse", .text(error.name))], .flow)
    return Self.rule(.object([.init("write", .text(id))], .flow), if: condition, first + [refuse])
  }
}
