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
    let course = stage.courseOut()
    stage.pass(
      PassingValue(bytes, in: stream, course) { [weak self] bytes in
        guard let self, !stage.isSilent else { return course.strike() }
        guard innerValues.transmit(bytes, in: channel, to: central) == .notified, course.isStruck else {
          return
        }
        stage.tell(.oneSided(.peer, .channelOut(stage.definition.name(of: stream.endpoint), bytes)))
      })
    return .notified  // bytes that wait or are lost count as sent for the device
  }

  package func close(channel: Int, of central: Central?) { innerValues.close(channel: channel, of: central) }

  /// Passes the bytes of a central through the faults.
  func receive(_ bytes: [UInt8], in channel: Int, from central: Central) {
    let stream = FaultStream(endpoint: .channel(channel), direction: .into)
    let course = stage.courseIn(.channelIn(central, stage.definition.name(of: stream.endpoint), bytes))
    stage.pass(
      PassingValue(bytes, in: stream, from: central, course) { [weak self] bytes in
        self?.receive(.channelReceived(central, channel: channel, bytes), course, nil)
      })
  }

  package func channelCongestionChanged(_ isCongested: Bool, of channel: Int) {
    host?.channelCongestionChanged(isCongested, of: channel)
  }

  package func sendPDU(_ packet: [UInt8], to central: Central) -> Bool {
    stage.isSilent || innerValues.sendPDU(packet, to: central)
  }

  package func receiveAsClient(_ packet: [UInt8], from central: Central) {
    if !stage.isSilent { host?.receiveAsClient(packet, from: central) }
  }

  package func name(ofChannel channel: Int) -> String { host?.name(ofChannel: channel) ?? "" }
}
