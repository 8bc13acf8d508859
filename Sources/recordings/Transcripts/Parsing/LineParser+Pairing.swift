import Bluetooth
import Definitions
import DeviceModel

/// `pair`, `bond passkey=012345`, `pair io-capability=display-only secure-connections=never`
extension LineParser {
  private static let names = ["passkey", "io-capability", "secure-connections", "key-size"]

  func pairing(_ words: inout Words, bonds: Bool) throws(Diagnostic) -> PairingRequest {
    var request = PairingRequest(bonds: bonds)
    var capability: IOCapability?
    var passkey: Token?
    while let token = words.next() {
      switch token.name {
      case "passkey":
        request.passkey = try self.passkey(token, words)
        passkey = token
      case "io-capability": capability = try self.capability(token, words)
      case "secure-connections": request.canSecureConnections = try secureConnections(token, words)
      case "key-size": request.maximumKeySize = try keySize(token, words)
      default: throw words.error(.notPairing(known: Self.names), at: token.range)
      }
    }
    request.capability = capability ?? definition.capabilityOfCentral(toEnter: request.passkey)
    if let passkey { try check(request, passkey, words) }
    return request
  }

  private func check(_ request: PairingRequest, _ passkey: Token, _ words: Words) throws(Diagnostic) {
    let possible = definition.possiblePairings
    let policies = possible.isEmpty ? [PairingPolicy()] : possible
    let models = policies.filter(\.isAllowed).map(request.model)
    guard let first = models.first, !models.contains(where: \.hasPasskey) else { return }
    throw words.error(.needlessPasskey(first), at: passkey.range)
  }

  private func passkey(_ token: Token, _ words: Words) throws(Diagnostic) -> UInt32 {
    if let passkey = token.text.flatMap({ Passkey.read($0) }) { return passkey }
    throw words.error(.badPasskey, at: token.contentRange)
  }

  private func capability(_ token: Token, _ words: Words) throws(Diagnostic) -> IOCapability {
    let word = token.text ?? ""
    if let capability = IOCapability(name: word) { return capability }
    throw words.error(
      .unknownCapability(word, known: IOCapability.allCases.map(\.name)), at: token.contentRange)
  }

  private func keySize(_ token: Token, _ words: Words) throws(Diagnostic) -> Int {
    if let size = token.text.flatMap({ Int($0) }), PairingTemplate.possibleKeySizes.contains(size) {
      return size
    }
    throw words.error(.badKeySize, at: token.contentRange)
  }

  private func secureConnections(_ token: Token, _ words: Words) throws(Diagnostic) -> Bool {
    switch token.text {
    case "allowed": return true
    case "never": return false
    default: throw words.error(.notSecureConnections, at: token.contentRange)
    }
  }
}

extension PeripheralDefinition {
  /// The default IO capability of a central: a display and a keyboard, like a phone. To enter a passkey that the device shows, it
  /// has only a keyboard, because two such devices may compare numbers.
  package func capabilityOfCentral(toEnter passkey: UInt32?) -> IOCapability {
    let deviceShows = possiblePairings.contains(where: \.capability.hasDisplay)
    return passkey != nil && deviceShows ? .keyboardOnly : .keyboardDisplay
  }
}
