import Bluetooth
import ControllerModel
import Framing
import HCIPackets
import TestSupport

@testable import Host

/// Hosts above controllers of the model, on one air and on virtual time.
struct HostsOnAir {
  private(set) var hosts: [Host] = []
  var air: Air
  private var controllers: [Air.ControllerID] = []
  private var events: [[HostEvent]] = []

  static let addresses = [DeviceAddress("00:00:00:00:00:0A")!, DeviceAddress("00:00:00:00:00:0B")!]

  /// Two hosts that have started.
  ///
  /// - Parameter change: makes the traits of each controller.
  init(seed: UInt64 = 1, _ change: (Int, inout ControllerTraits) -> Void = { _, _ in }) {
    air = Air(seed: seed)
    for (index, address) in Self.addresses.enumerated() {
      var traits = ControllerTraits(address)
      change(index, &traits)
      controllers.append(air.add(traits))
      hosts.append(Host())
      events.append([])
    }
    settle()
  }

  /// Asks something of a host.
  mutating func tell(_ index: Int, _ body: (inout Host) -> Void) {
    body(&hosts[index])
    settle()
  }

  mutating func pass(_ duration: Duration) {
    let end = air.now.advanced(by: duration)
    while let next = ([air.nextInstant] + hosts.map(\.deadline)).compactMap(\.self).min(), next <= end {
      air.advance(to: max(next, air.now))
      settle()
    }
    air.advance(to: end)
    settle()
  }

  mutating func setInRange(_ index: Int, _ isInRange: Bool) { air.setInRange(controllers[index], isInRange) }

  /// Takes the events of a host since the last call.
  mutating func takeEvents(of index: Int) -> [HostEvent] {
    defer { events[index] = [] }
    return events[index]
  }

  func mistakes(by index: Int) -> [HostMistake] { air.mistakes(by: controllers[index]) }

  /// Carries packets between hosts and controllers until none is left.
  private mutating func settle() {
    var isQuiet = false
    while !isQuiet {
      isQuiet = true
      for index in hosts.indices {
        hosts[index].advance(to: air.now)
        isQuiet = !carry(index) && isQuiet
        events[index] += hosts[index].takeEvents()
      }
    }
  }

  /// Returns whether there was a packet.
  private mutating func carry(_ index: Int) -> Bool {
    let batch = hosts[index].packets
    hosts[index].sentPackets()
    for (start, end) in zip([0] + batch.ends, batch.ends) {
      air.send(Array(batch.bytes[start..<end]), to: controllers[index])
    }
    let packets = air.take(from: controllers[index])
    for packet in packets { hosts[index].receive(packet[...], at: air.now) }
    return !batch.isEmpty || !packets.isEmpty
  }
}

extension HostsOnAir {
  /// Connects host 0, as the central, to host 1, by commands that the hosts do not know of. Returns both handles.
  mutating func connect() -> [LinkHandle] {
    let link = "08 00 08 00 00 00 64 00 00 00 00 00"  // interval 10 ms, timeout 1 s
    if hosts[1].abilities.hasExtendedAdvertising {
      let parameters = "13 00 20 00 00 20 00 00 07 00 00 00 00 00 00 00 00 00 7F 01 00 01 00 00"
      command("01 36 20 19 00 \(parameters)", to: 1)
      command("01 39 20 06 01 01 00 00 00 00", to: 1)
    } else {
      command("01 0A 20 01 01", to: 1)
    }
    if hosts[0].abilities.hasExtendedAdvertising {
      command("01 43 20 1A 00 00 00 0B 00 00 00 00 00 01 10 00 10 00 \(link)", to: 0)
    } else {
      command("01 0D 20 19 10 00 10 00 00 00 0B 00 00 00 00 00 00 \(link)", to: 0)
    }
    pass(.seconds(2))
    let handles = hosts.indices.compactMap { index in
      takeEvents(of: index).lazy.compactMap { if case .connected(let link) = $0 { link.handle } else { nil } }
        .first
    }
    precondition(handles.count == 2, "both hosts have a link")
    return handles
  }

  private mutating func command(_ packet: String, to index: Int) {
    air.send(hex(packet), to: controllers[index])
    settle()
  }
}
