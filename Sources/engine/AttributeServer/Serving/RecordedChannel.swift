import Bluetooth
import EventLoop

/// A channel whose PDUs are recorded.
@EventLoop
final class RecordedChannel: PacketChannel {
  private let channel: any PacketChannel
  private let central: DeviceAddress
  private let recorder: any AirRecorder

  init(_ channel: any PacketChannel, to central: DeviceAddress, _ recorder: any AirRecorder) {
    (self.channel, self.central, self.recorder) = (channel, central, recorder)
  }

  var onReceive: (@EventLoop ([UInt8]) -> Void)? {
    didSet {
      guard let onReceive else { return channel.onReceive = nil }
      channel.onReceive = { [recorder, central] packet in
        recorder.received(packet, from: central)
        onReceive(packet)
      }
    }
  }

  var onEmpty: (@EventLoop () -> Void)? {
    get { channel.onEmpty }
    set { channel.onEmpty = newValue }
  }

  var isCongested: Bool { channel.isCongested }

  var security: LinkSecurity { channel.security }
  var hasBondKey: Bool { channel.hasBondKey }

  func send(_ packet: [UInt8]) {
    recorder.sent(packet, to: central)
    channel.send(packet)
  }

  func close() {
    onReceive = nil
    channel.close()
  }
}
