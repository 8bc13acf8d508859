import Bluetooth
import Captures
import EventLoop
import Framing
import Kernel

/// Records what a controller of this machine and the kernel say to each other.
@EventLoop
package final class MonitorRecording {
  /// `HCI_MON_NEW_INDEX`: type, bus, address, name.
  private static let newIndex: UInt16 = 0

  private let monitor: HCIMonitor
  private let file: RecordingFile
  private let address: DeviceAddress
  private var index: UInt16

  package init(of controller: LocalController, _ monitor: HCIMonitor, in file: RecordingFile) {
    (self.monitor, self.file) = (monitor, file)
    (index, address) = (controller.index, controller.address.address)
    monitor.onMessage = { [weak self] in self?.take($0) }
  }

  /// Reads what has arrived.
  package func catchUp() { monitor.catchUp() }

  private func take(_ message: HCIMonitor.Message) {
    if message.opcode == Self.newIndex, isAddress(message.bytes.dropFirst(2).prefix(6)) {
      index = message.controller
      // What a recording from the start of the controller would have.
      let packets = HostConversation().start(address, random: nil)
      for packet in packets {
        file.append(WrittenPacket(time: message.time, direction: packet.direction, bytes: packet.bytes))
      }
      return
    }
    guard message.controller == index else { return }
    if let packet = WrittenPacket(monitor: message.opcode, message.bytes, at: message.time) {
      file.append(packet)
    }
  }

  private func isAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.elementsEqual(address.littleEndianBytes)
  }
}
