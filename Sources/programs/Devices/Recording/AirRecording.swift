import AttributeServer
import Behavior
import Bluetooth
import Captures
import DeviceModel
import EventLoop
import Framing
import HCIPackets
import Peripheral

/// Records what a device hears and says as the HCI packets of its host.
@EventLoop
package final class AirRecording {
  let file: RecordingFile
  private let layout: any TransportLimits
  private let now: @EventLoop () -> Instant
  private var conversation = HostConversation()
  /// nil: there is no device.
  private(set) var awaited: AwaitedMessages?

  /// - Parameters:
  ///   - layout: lays out the advertising packets.
  ///   - now: the time since 1970.
  package init(
    in file: RecordingFile, layout: any TransportLimits, now: @escaping @EventLoop () -> Instant
  ) {
    (self.file, self.layout, self.now) = (file, layout, now)
  }

  private func write(_ packets: [HostConversation.Packet]) {
    let time = now()
    for packet in packets {
      file.append(WrittenPacket(time: time, direction: packet.direction, bytes: packet.bytes))
    }
  }

  private func write(_ packet: HostConversation.Packet?) {
    if let packet { write([packet]) }
  }
}

// MARK: The air

extension AirRecording: AirRecorder {
  package func begin(_ device: DeviceOnAir, on adapter: DeviceAddress) {
    awaited = AwaitedMessages(of: device.definition)
    write(conversation.start(adapter, random: device.ownAddress))
  }

  package func advertise(_ advertisement: Advertisement?) {
    guard awaited != nil else { return }
    // A controller has no more (Core Specification, Vol 4 Part E 7.8.53).
    let sets = (advertisement?.allSets ?? []).prefix(0xF0).enumerated().filter(\.element.isShown).map {
      number, set in
      AdvertisingSet(
        set, layout.packets(of: set) ?? AdvertisingPackets(), handle: UInt8(truncatingIfNeeded: number),
        number: number, ownAddress: nil)
    }
    write(conversation.advertise(sets))
  }

  package func connected(_ central: LinkAddress, _ parameters: ConnectionParameters?) {
    write(conversation.connect(central, parameters))
  }

  package func received(_ packet: [UInt8], from central: Central) {
    write(conversation.attribute(packet, central, .toHost))
  }

  package func sent(_ packet: [UInt8], to central: Central) {
    write(conversation.attribute(packet, central, .toController))
  }

  package func encryptionChanged(of central: Central, isEncrypted: Bool) {
    write(conversation.encrypt(central, isEncrypted))
  }

  package func parametersChanged(of central: Central, to parameters: ConnectionParameters) {
    write(conversation.update(central, parameters))
  }

  package func ends(_ central: Central, _ reason: HCIError) { write(conversation.end(central, reason)) }

  package func disconnected(_ central: Central, _ reason: HCIError?) {
    write(conversation.disconnect(central, reason ?? .remoteUserTerminated))
  }
}
