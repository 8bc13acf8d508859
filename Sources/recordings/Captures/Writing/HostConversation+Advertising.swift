import Bluetooth
import HCIPackets

// Vol 4 Part E 7.8.52 to 7.8.60
extension HostConversation {
  /// The commands that make these the advertising sets of the controller, each with its Command Complete.
  package mutating func advertise(_ wanted: [AdvertisingSet]) -> [Packet] {
    let present = sets
    sets = wanted
    let gone = present.filter { old in !wanted.contains { $0.handle == old.handle } }
    let removals = gone.flatMap { old -> [HCICommand] in
      [.disable(handle: old.handle), .remove(handle: old.handle)]
    }
    let changes = wanted.flatMap { set in
      Self.commands(from: present.first { $0.handle == set.handle }, to: set)
    }
    return (removals + changes).flatMap { Self.exchange($0, returning: Self.returnParameters(of: $0)) }
  }

  /// After the status: LE Set Extended Advertising Parameters returns the transmit power, 0 dBm.
  private static func returnParameters(of command: HCICommand) -> [UInt8] {
    command.opcode == .setExtendedAdvertisingParameters ? [0x00] : []
  }

  /// A controller takes parameters, an address and data in several parts only while the set is disabled.
  private static func commands(from old: AdvertisingSet?, to new: AdvertisingSet) -> [HCICommand] {
    guard old != new else { return [] }
    let handle = new.handle
    let isReady = old?.parameters == new.parameters && old?.address == new.address
    let data = old?.data ?? [] == new.data ? [] : AdvertisingFragment.fragments(of: new.data)
    let response =
      old?.scanResponse ?? [] == new.scanResponse ? [] : AdvertisingFragment.fragments(of: new.scanResponse)
    let pauses = !isReady || max(data.count, response.count) > 1
    var commands: [HCICommand] = []
    if pauses, old != nil { commands.append(.disable(handle: handle)) }
    if !isReady {
      commands.append(.setParameters(new))
      if let address = new.address { commands.append(.setRandomAddress(address, handle: handle)) }
    }
    commands += data.map { .setData($0, handle: handle) }
    commands += response.map { .setScanResponse($0, handle: handle) }
    if pauses { commands.append(.enable(handle: handle)) }
    return commands
  }
}
