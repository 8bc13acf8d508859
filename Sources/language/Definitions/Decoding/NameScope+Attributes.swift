import Bluetooth
import DeviceModel

extension NameScope {
  /// Adds the channels whose PSMs expressions can use; 0 where a mistake hides it.
  mutating func addChannels(_ channels: [Entry<Node<Language.Channel>>]) {
    for channel in channels { channelPSMs[channel.key.text] = Int64(channel.value.psm?.value ?? 0) }
  }

  /// Adds the attributes whose handles expressions can use. Values may use the handles of later attributes.
  mutating func addAttributes(of services: [Node<Language.Service>]) {
    for (index, node) in services.flatMap({ $0.characteristics }).enumerated() {
      guard let id = node.id?.text ?? node.uuid.map({ BluetoothUUID($0.text)?.description ?? $0.text }) else {
        continue
      }
      addAttribute(id, .attribute(.characteristic(index)))
      if node.properties?.contains(where: { $0.text == "notify" || $0.text == "indicate" }) == true,
        node.cccd?.text != CCCDUse.none.rawValue
      {
        addAttribute(id + "/2902", .configuration(of: index))
      }
      let uuids = node.descriptors.compactMap { $0.uuid.flatMap { BluetoothUUID($0.text) } }
      for (number, uuid) in uuids.enumerated() where attributes["\(id)/\(uuid)"] == nil {
        addAttribute("\(id)/\(uuid)", .attribute(.descriptor(number, of: index)))
      }
    }
  }
}
