import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Traffic

/// Values for centrals, and bytes for the wire side.
extension Pipeline {
  /// - Parameter message: the index of the message that the value is, if it has a name.
  func send(_ value: [UInt8], from characteristic: Int, to recipients: Recipients, _ message: Int?) {
    let (id, message) = (names.name(of: characteristic), name(of: message))
    var pieceCount = 0
    sender.send(value, from: characteristic, to: recipients) { piece, fate in
      pieceCount += 1
      switch fate {
      case .sent(.notified):
        totals.valuesOut += 1
        report(.notify(id, Array(piece), message: piece.startIndex == 0 ? message : nil))
      case .sent(.indicated):
        totals.valuesOut += 1
        report(.indicate(id, Array(piece), message: piece.startIndex == 0 ? message : nil))
      case .tooLong(let limit):
        totals.valuesLost += 1
        report(.warning("not sent: a value has at most \(limit) bytes here", attribute: id, Array(piece)))
      case .sent(let outcome):
        totals.valuesLost += 1
        let reason = lossReason(of: characteristic, outcome)
        report(.warning("not sent: \(reason)", attribute: id, Array(piece)))
      }
    }
    if pieceCount > 1, takesFrames, definition.characteristics[characteristic].coding == nil {
      report(.frame(nil, id, value, message: message, isSent: true))
    }
  }

  private func lossReason(of characteristic: Int, _ outcome: SendOutcome) -> String {
    switch outcome {
    case .outOfSync:
      "the central does not know that the attributes have changed; it gets values once it has confirmed "
        + "Service Changed, or has read the Database Hash and sent another request"
    case .notAddressable: "this transport cannot send to a single central"
    default:
      engine.table.contains(characteristic)
        ? "no central has subscribed" : "the device does not have this characteristic now"
    }
  }

  private func name(of message: Int?) -> String? { message.map { definition.messages[$0].name } }

  /// Ends connections after the values of the same event.
  func disconnect(_ central: Central?, _ reason: HCIError) {
    transport.sendJoinedValues()
    transport.disconnect(central, reason)
  }

  func writeToWire(_ bytes: [UInt8], _ message: Int?) {
    wire.write(bytes)
    report(.wireOut(bytes, message: name(of: message)))
    wireTookBytes()
  }

  /// Makes centrals wait while the wire side has fallen behind.
  func wireTookBytes() {
    if let isBehind = wire.backlogChange() { transport.holdResponses(isBehind) }
  }
}
