import Bluetooth
import ControllerModel
import HCIPackets
import Testing

@testable import Host

@Suite struct LinkOnAirTests {
  /// Number and size of the controller's buffers.
  @Test(arguments: [(8, 251), (1, 27), (2, 30), (3, 251)])
  func `PDUs of all sizes arrive whole and in order`(count: Int, size: Int) {
    var hosts = HostsOnAir { ($1.dataPacketCount, $1.dataPacketSize) = (count, size) }
    let handles = hosts.connect()
    let pdus = (1...60).map { [UInt8](repeating: UInt8($0), count: $0 * $0 % 517 + 1) }
    for (index, handle) in handles.enumerated() {
      hosts.tell(index) { host in for pdu in pdus { host.send(pdu, on: handle) } }
      #expect(hosts.hosts[index].isCongested(handle))
    }
    hosts.pass(.seconds(20))
    for (index, handle) in handles.enumerated() {
      let events = hosts.takeEvents(of: index)
      #expect(events.compactMap(Self.pdu) == pdus)
      #expect(events.contains(.drained(handle)))
      #expect(!hosts.hosts[index].isCongested(handle))
      #expect(hosts.mistakes(by: index) == [])
    }
  }

  private static func pdu(_ event: HostEvent) -> [UInt8]? {
    if case .received(_, let pdu) = event { pdu } else { nil }
  }

  @Test(arguments: [[true, false], [false, true], [true, true]])
  func `a controller of Bluetooth 4 carries PDUs as well`(isOld: [Bool]) {
    var hosts = HostsOnAir { if isOld[$0] { $1 = .version4($1.address) } }
    let handles = hosts.connect()
    let pdu = [UInt8](repeating: 0x1B, count: 100)
    hosts.tell(0) { $0.send(pdu, on: handles[0]) }
    hosts.tell(1) { $0.send(pdu, on: handles[1]) }
    hosts.pass(.seconds(1))
    for (index, handle) in handles.enumerated() {
      #expect(hosts.takeEvents(of: index).contains(.received(handle, pdu)))
      #expect(hosts.mistakes(by: index) == [])
    }
  }

  @Test func `the central says goodbye`() {
    var hosts = HostsOnAir()
    let handles = hosts.connect()
    hosts.tell(0) { $0.send([0x0A], on: handles[0]) }
    hosts.tell(0) { $0.disconnect(handles[0], .remotePowerOff) }
    hosts.pass(.milliseconds(50))
    #expect(hosts.takeEvents(of: 0).last == .disconnected(handles[0], .localHost))
    #expect(
      hosts.takeEvents(of: 1).suffix(2) == [
        .received(handles[1], [0x0A]), .disconnected(handles[1], .remotePowerOff),
      ])
    #expect(hosts.hosts.map(\.allLinks.count) == [0, 0])
  }

  @Test func `a peer that is out of range is lost after the supervision timeout`() {
    var hosts = HostsOnAir()
    let handles = hosts.connect()
    hosts.setInRange(1, false)
    hosts.pass(.milliseconds(999))
    #expect(hosts.takeEvents(of: 0) == [])
    hosts.pass(.milliseconds(1))
    #expect(hosts.takeEvents(of: 0) == [.disconnected(handles[0], .supervisionTimeout)])
    #expect(hosts.takeEvents(of: 1) == [.disconnected(handles[1], .supervisionTimeout)])
  }

  @Test func `the peripheral gets the parameters that it asks for`() {
    var hosts = HostsOnAir()
    let handles = hosts.connect()
    let wanted = PreferredConnectionParameters(interval: 16...24, latency: 4, supervisionTimeout: 400)
    hosts.tell(1) { $0.ask(for: wanted, on: handles[1]) }
    hosts.pass(.seconds(1))
    for (index, handle) in handles.enumerated() {
      let changes = hosts.takeEvents(of: index).compactMap { event in
        if case .changed(handle, let change) = event { change.parameters } else { nil }
      }
      #expect(changes == [ConnectionParameters(interval: 24, latency: 4, supervisionTimeout: 400)])
      #expect(hosts.hosts[index].allLinks.first?.parameters.interval == 24)
      #expect(hosts.mistakes(by: index) == [])
    }
  }

  @Test func `a peripheral whose controller reports the PHY and the signal`() {
    var hosts = HostsOnAir()
    let handles = hosts.connect()
    hosts.tell(1) { $0.measure(handles[1]) }
    #expect(
      hosts.takeEvents(of: 1) == [
        .changed(handles[1], LinkChange(phys: Directions(sent: .le1M, received: .le1M))),
        .changed(handles[1], LinkChange(rssi: -60)),
      ])
  }

  @Test func `a lost Number Of Completed Packets leaves a link that can end`() {
    var hosts = HostsOnAir {
      $1.dataPacketCount = 1
      if $0 == 0 { $1.quirks.eventFaults = [EventFault(0x13, 0, .lost)] }
    }
    let handles = hosts.connect()
    hosts.tell(0) { $0.send([0x0A], on: handles[0]) }
    hosts.tell(0) { $0.send([0x0B], on: handles[0]) }
    hosts.pass(.seconds(5))
    #expect(hosts.hosts[0].isCongested(handles[0]))
    hosts.tell(0) { $0.disconnect(handles[0], .remoteUserTerminated) }
    hosts.pass(.seconds(1))
    #expect(hosts.takeEvents(of: 0).contains(.disconnected(handles[0], .localHost)))
    #expect(hosts.connect().count == 2, "the buffer is free again")
  }
}
