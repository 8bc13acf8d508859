import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing

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
        note(.sent)
        report(.notify(id, Array(piece), message: piece.startIndex == 0 ? message : nil))
      case .sent(.indicated):
        totals.valuesOut += 1
        note(.sent)
        report(.indicate(id, Array(piece), message: piece.startIndex == 0 ? message : nil))
      case .tooLong(let limit):
        lose(piece, from: id, "not sent: a value has at most \(limit) bytes here")
      case .sent(let outcome):
        lose(piece, from: id, "not sent: \(lossReason(of: characteristic, outcome))")
      }
    }
    if pieceCount > 1, takesFrames, definition.characteristics[characteristic].coding == nil {
      report(.frame(nil, id, value, message: message, isSent: true))
    }
  }

  /// - Parameter central: the only one that gets the bytes; nil: all that have opened the channel.
  func transmit(_ bytes: [UInt8], in channel: Int, to central: Central?, _ message: Int?) {
    let id = definition.channels[channel].id
    guard transport.transmit(bytes, in: channel, to: central) != .nobodySubscribed else {
      return lose(bytes[...], from: id, "not sent: no central has opened it")
    }
    totals.valuesOut += 1
    note(.sent)
    report(.channelOut(id, bytes, message: name(of: message)))
  }

  private func lose(_ piece: ArraySlice<UInt8>, from id: String, _ reason: String) {
    totals.valuesLost += 1
    note(.lost(reason: reason))
    report(.warning(reason, attribute: id, Array(piece)))
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
    note(.sent)
    report(.wireOut(bytes, message: name(of: message)))
    wireTookBytes()
  }

  /// Makes centrals wait while the wire side has fallen behind.
  func wireTookBytes() {
    if let isBehind = wire.backlogChange() { transport.holdResponses(isBehind) }
  }
}
