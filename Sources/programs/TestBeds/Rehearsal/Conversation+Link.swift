import Bluetooth
import Learning

/// What a central does with its link to hold a recorded conversation.
extension Conversation {
  /// The ATT_MTU that it asks for, bytes: the recorded one, and enough for the longest value.
  var mtu: Int {
    let longest = exchanges.map(\.size).max() ?? 0
    let asked = mtuExchanges.map(\.central).max() ?? 0
    return min(max(AttributePDU.defaultMTU, asked, longest + 3), 517)
  }

  /// Whether it has encrypted the link before an exchange. Of the same moment, a refusal that asks for it comes first.
  func isEncrypted(at exchange: Exchange) -> Bool {
    guard let encrypted else { return false }
    return exchange.asksForEncryption ? encrypted < exchange.time : encrypted <= exchange.time
  }

  /// Whether it encrypts the link if the device asks for it: the recording has neither the encryption nor a refusal without it.
  var encryptsOnDemand: Bool { encrypted == nil && !exchanges.contains(where: \.asksForEncryption) }
}

extension Exchange {
  /// The bytes that one PDU must carry.
  fileprivate var size: Int {
    switch kind {
    case .value(let value, _), .write(let value, .command, _): value.count
    case .read, .write: 0
    }
  }

  /// Whether the device refused it until the link is encrypted.
  fileprivate var asksForEncryption: Bool {
    if case .refused(let error) = outcome { error.asksForEncryption } else { false }
  }
}

extension ATTError {
  /// Whether pairing may help (Vol 3 Part C 10.3.1).
  var asksForEncryption: Bool { [.insufficientAuthentication, .insufficientEncryption].contains(self) }
}
