import Bluetooth
import DeviceModel
import EventLoop
import Peripheral
import TestSupport
import Testing

@testable import AttributeServer

/// The link to a central that takes Multiple Handle Value Notifications.
@Suite struct JoinedValuesTests {
  @EventLoop private let owner = ScriptedOwner()
  @EventLoop private let held = HeldResponses()
  @EventLoop private let channel = TestChannel()
  @EventLoop private let link: ServedLink

  /// Handles: 1801 from 6 on, the value of 2B29 0x0008, of FFE1 0x000B, of FFE2 0x000E; their CCCDs follow.
  @EventLoop init() throws {
    let definition = try define(
      """
      blemu: 1
      name: Device
      link: { multiple-notifications: true }
      services:
        - { uuid: 1801, handle: 6, characteristics: [{ uuid: 2B29, properties: [read, write] }] }
        - uuid: FFE0
          characteristics:
            - { uuid: FFE1, properties: [write, notify] }
            - { uuid: FFE2, properties: [notify, indicate] }
      """)
    let table = try definition.attributes(in: definition.initialContext)
    let database = AttributeDatabase(definition, table, name: "Device")
    link = ServedLink(
      channel, to: LinkAddress(DeviceAddress([0, 0, 0, 0, 0, 2])!), database, mtu: 64, held,
      EventLoopScheduler(), owner: owner)
    link.start()
    for packet in ["12 08 00 04", "12 0C 00 01 00", "12 0F 00 01 00"] { channel.onReceive?(bytes(packet)) }
    channel.sent = []
  }

  @EventLoop private var sent: [String] { channel.sent.map { hexadecimal($0) } }

  @EventLoop @Test func `values wait for the end of the event`() {
    link.send([0x41], from: 1, by: .notification)
    link.send([0x42], from: 2, by: .notification)
    #expect(sent == [])
    link.sendJoinedValues()
    #expect(sent == ["23 0B 00 01 00 41 0E 00 01 00 42"])
    link.sendJoinedValues()
    #expect(sent.count == 1)
  }

  @EventLoop @Test func `an indication comes after the values before it`() {
    link.send([0x41], from: 1, by: .notification)
    link.send([0x42], from: 2, by: .indication)
    link.send([0x43], from: 1, by: .notification)
    link.sendJoinedValues()
    #expect(sent == ["1B 0B 00 41", "1D 0E 00 42", "1B 0B 00 43"])
  }

  @EventLoop @Test func `a held response comes after the values before its release`() {
    held.isHolding = true
    channel.onReceive?(bytes("12 0B 00 41"))
    link.send([0x41], from: 1, by: .notification)
    link.send([0x42], from: 2, by: .notification)
    #expect(sent == [])
    held.isHolding = false
    link.send([0x43], from: 1, by: .notification)
    link.sendJoinedValues()
    #expect(sent == ["23 0B 00 01 00 41 0E 00 01 00 42", "13", "1B 0B 00 43"])
  }

  @EventLoop @Test func `values before an answer that is then held do not wait for it`() {
    owner.answersAtOnce = false
    channel.onReceive?(bytes("12 0B 00 41"))
    link.send([0x41], from: 1, by: .notification)
    held.isHolding = true
    owner.responders.first?(.accepted)
    link.send([0x42], from: 2, by: .notification)
    link.sendJoinedValues()
    held.isHolding = false
    #expect(sent == ["23 0B 00 01 00 41 0E 00 01 00 42", "13"])
  }

  @EventLoop @Test func `all values of a PDU that waits are congested`() {
    link.send([0x41], from: 1, by: .notification)
    link.send([0x42], from: 2, by: .notification)
    channel.isCongested = true
    link.sendJoinedValues()
    #expect(owner.congestion == [true, true])
    channel.isCongested = false
    channel.onEmpty?()
    #expect(owner.congestion == [true, true, false, false])
  }
}
