import Behavior
import DeviceModel
import EventLoop
import Peripheral

/// The bytes in credit-based channels.
extension FaultyTransport {
  package func transmit(_ bytes: [UInt8], in channel: Int, to central: Central?) -> SendOutcome {
    let stream = FaultStream(endpoint: .channel(channel), direction: .out)
    guard !stage.isEmpty, stage.concerns(stream) || stage.isSilent else {
      return innerValues.transmit(bytes, in: channel, to: central)
    }
    stage.pass(
      PassingValue(bytes, in: stream) { [weak self] bytes in
        guard let self, !stage.isSilent else { return }
        _ = innerValues.transmit(bytes, in: channel, to: central)
      })
    return .notified  // bytes that wait or are lost count as sent for the device
  }

  package func close(channel: Int, of central: Central?) { innerValues.close(channel: channel, of: central) }

  /// Passes the bytes of a central through the faults.
  func receive(_ bytes: [UInt8], in channel: Int, from central: Central) {
    let stream = FaultStream(endpoint: .channel(channel), direction: .into)
    stage.pass(
      PassingValue(bytes, in: stream, from: central) { [weak self] bytes in
        self?.host?.receive(.channelReceived(central, channel: channel, bytes))
      })
  }

  package func channelCongestionChanged(_ isCongested: Bool, of channel: Int) {
    host?.channelCongestionChanged(isCongested, of: channel)
  }

  package func sendAsClient(_ packet: [UInt8], to central: Central) -> Bool {
    stage.isSilent || innerValues.sendAsClient(packet, to: central)
  }

  package func receiveAsClient(_ packet: [UInt8], from central: Central) {
    if !stage.isSilent { host?.receiveAsClient(packet, from: central) }
  }

  package func name(ofChannel channel: Int) -> String { host?.name(ofChannel: channel) ?? "" }
}
