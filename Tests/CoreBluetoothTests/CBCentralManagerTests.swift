import BlemuControl
import CoreBluetooth
import Synchronization
import TestSupport
import Testing

/// An app at a device in memory. One test at a time: they share the phone's settings.
@MainActor @Suite(.serialized) struct CBCentralManagerTests {
  private static let definition = """
    blemu: 1
    name: Lamp
    advertisement:
      local-name: "{local-name}"
      services: [FFE0]
      tx-power: 4
      manufacturer-data: { 004C: "02 15" }
      service-data: { FEAA: "10" }
    settings: { local-name: { type: text, max: 8, default: Lamp } }
    services:
      - { uuid: 1801, characteristics: [{ id: changed, uuid: 2A05, properties: [indicate] }] }
      - uuid: FFE0
        includes: [FFF0]
        characteristics:
          - { id: switch, uuid: FFE1, properties: [read, write, write-without-response, notify], value: "00", descriptors: [{ uuid: 2901, text: Switch }] }
          - { id: cell, uuid: FFE2, properties: [write, indicate] }
          - { id: locked, uuid: FFE3, properties: [read], permissions: [encrypt-authenticated-read], value: "2A" }
      - { uuid: FFF0, primary: false, characteristics: [{ id: part, uuid: FFF1, properties: [read] }] }
    security: { io-capability: display-only, passkey: "123456" }
    messages: { turn: "01 {state: u8}" }
    rules:
      - { on: { receive: turn, from: switch }, do: [{ send: turn, to: switch }, { send: turn, to: cell }] }
      - { on: { write: cell }, do: { refuse: 0x80 } }
    """

  private let folder = TemporaryFolder(["lamp.yaml": definition])

  private func withLamp(
    _ settings: [String: Device.Value] = [:], _ body: (Device) async throws -> Void
  ) async throws {
    try await withRunningDevice(
      folder.path + "lamp.yaml", settings: settings, program: BuiltProgram(name: "blemu").path, body)
  }

  /// A phone that has found the lamp.
  private func scanning() async -> Phone {
    let phone = Phone()
    #expect(await phone.next() == "poweredOn")
    phone.manager.scanForPeripherals(withServices: [CBUUID(string: "FFE0")])
    #expect(await phone.next()?.hasPrefix("found Lamp -50 ") == true)
    return phone
  }

  /// A phone that is connected to the lamp, and knows its characteristics.
  private func connected() async throws -> (Phone, CBPeripheral) {
    let phone = await scanning()
    let lamp = try #require(phone.peripherals.first)
    phone.manager.stopScan()
    phone.manager.connect(lamp)
    #expect(lamp.state == .connecting)
    #expect(await phone.next() == "connected")
    #expect(lamp.state == .connected)
    lamp.discoverServices([CBUUID(string: "FFE0")])
    #expect(await phone.next() == #"services ["FFE0"]"#)
    lamp.discoverCharacteristics(nil, for: try #require(lamp.services?.first))
    #expect(await phone.next() == #"characteristics ["FFE1", "FFE2", "FFE3"]"#)
    return (phone, lamp)
  }

  @Test func `an advertisement has Apple's keys and types`() async throws {
    try await withLamp { _ in
      let phone = Phone()
      #expect(phone.manager.state == .unknown)
      #expect(await phone.next() == "poweredOn")
      phone.manager.scanForPeripherals(withServices: nil)
      #expect(
        await phone.next()
          == "found Lamp -50 IsConnectable=1 LocalName=Lamp ManufacturerData=4 bytes ServiceData=[FEAA: 1 bytes] ServiceUUIDs=[FFE0] TxPowerLevel=4"
      )
    }
  }

  @Test func `only what is scanned for is found, and once unless duplicates are allowed`() async throws {
    try await withLamp { _ in
      let phone = await scanning()
      phone.manager.scanForPeripherals(withServices: [CBUUID(string: "180D")])
      #expect(phone.manager.isScanning)
      phone.manager.scanForPeripherals(
        withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
      for _ in 0..<3 { #expect(await phone.next()?.hasPrefix("found Lamp") == true) }
      phone.manager.stopScan()
      #expect(!phone.manager.isScanning && phone.peripherals.count == 1)
    }
  }

  @Test func `values are read, written and received`() async throws {
    try await withLamp { device in
      let (phone, lamp) = try await connected()
      let (own, cell) = (phone.characteristic("FFE1")!, phone.characteristic("FFE2")!)
      #expect(own.properties == [.read, .write, .writeWithoutResponse, .notify])
      lamp.readValue(for: own)
      #expect(await phone.next() == "value FFE1 [0]")
      lamp.setNotifyValue(true, for: own)
      lamp.setNotifyValue(true, for: cell)
      #expect(await phone.next() == "notifying FFE1 true")
      #expect(await phone.next() == "notifying FFE2 true")
      lamp.writeValue(Data([1, 5]), for: own, type: .withResponse)
      let lines = [await phone.next(), await phone.next(), await phone.next()]
      #expect(Set(lines) == ["wrote FFE1", "value FFE1 [1, 5]", "value FFE2 [1, 5]"])
      lamp.setNotifyValue(false, for: own)
      #expect(await phone.next() == "notifying FFE1 false")
      lamp.writeValue(Data([1, 6]), for: own, type: .withoutResponse)
      #expect(await phone.next() == "value FFE2 [1, 6]")
      try await device.expect(
        "connect", "subscribe switch", "subscribe cell", "> switch 01 05", "unsubscribe switch",
        "> switch 01 06")
      #expect(lamp.maximumWriteValueLength(for: .withoutResponse) == 514)
    }
  }

  @Test func `what the device refuses has its ATT error`() async throws {
    try await withLamp { _ in
      let (phone, lamp) = try await connected()
      lamp.readValue(for: phone.characteristic("FFE2")!)
      #expect(await phone.next() == "value FFE2 []: Reading is not permitted.")
      lamp.setNotifyValue(true, for: phone.characteristic("FFE3")!)
      #expect(await phone.next() == "notifying FFE3 false: The request is not supported.")
      lamp.writeValue(Data([1]), for: phone.characteristic("FFE2")!, type: .withResponse)
      #expect(await phone.next() == "wrote FFE2: Unknown ATT error.")
      // iOS ignores it: the characteristic has no such property.
      lamp.writeValue(Data([1]), for: phone.characteristic("FFE2")!, type: .withoutResponse)
      lamp.readRSSI()
      #expect(await phone.next() == "rssi -50")
    }
  }

  @Test func `descriptors and included services are found when they are asked for`() async throws {
    try await withLamp { _ in
      let (phone, lamp) = try await connected()
      let own = phone.characteristic("FFE1")!
      #expect(own.descriptors == nil)
      lamp.discoverDescriptors(for: own)
      #expect(await phone.next() == #"descriptors ["2902", "2901"]"#)
      lamp.readValue(for: try #require(own.descriptors?.last))
      #expect(await phone.next() == "value 2901 Switch")
      lamp.discoverIncludedServices(nil, for: lamp.services![0])
      #expect(await phone.next() == #"included ["FFF0"]"#)
      // iOS hides 1800 and 1801, and FFF0 is not primary.
      lamp.discoverServices(nil)
      #expect(await phone.next() == #"services ["FFE0"]"#)
    }
  }

  @Test func `a write without a response waits until the phone is ready`() async throws {
    try await withLamp { device in
      let (phone, lamp) = try await connected()
      let own = phone.characteristic("FFE1")!
      var count = 0
      while lamp.canSendWriteWithoutResponse {
        lamp.writeValue(Data([2, UInt8(count)]), for: own, type: .withoutResponse)
        count += 1
      }
      #expect(count > 1)
      #expect(await phone.next() == "ready")
      #expect(lamp.canSendWriteWithoutResponse)
      try await device.expect("> switch", atLeast: count)
    }
  }

  @Test func `a read that needs security pairs with the passkey that the owner enters`() async throws {
    defer { BlemuPhone.passkey = nil }
    BlemuPhone.passkey = { $0 == "Lamp" ? 123_456 : nil }
    try await withLamp { device in
      let (phone, lamp) = try await connected()
      lamp.readValue(for: phone.characteristic("FFE3")!)
      #expect(await phone.next() == "value FFE3 [42]")
      try await device.expect("pair", after: 0)
    }
    BlemuPhone.passkey = { _ in 1 }
    try await withLamp { _ in
      let (phone, lamp) = try await connected()
      lamp.readValue(for: phone.characteristic("FFE3")!)
      #expect(await phone.next() == "value FFE3 []: Authentication is insufficient.")
      #expect(await phone.next() == "disconnected: The specified device has disconnected from us.")
    }
  }

  @Test func `the end of a link says whose it was`() async throws {
    try await withLamp { device in
      let (phone, lamp) = try await connected()
      try await device.disconnect(reason: "supervision-timeout")
      #expect(await phone.next() == "disconnected: The connection has timed out unexpectedly.")
      #expect(lamp.state == .disconnected && lamp.services == nil)
      phone.manager.connect(lamp)
      #expect(await phone.next() == "connected")
      try await device.disconnect()
      #expect(await phone.next() == "disconnected: The specified device has disconnected from us.")
      phone.manager.connect(lamp)
      #expect(await phone.next() == "connected")
      phone.manager.cancelPeripheralConnection(lamp)
      phone.manager.connect(lamp)
      #expect(await phone.next() == "disconnected")
      #expect(await phone.next() == "connected")
      phone.manager.cancelPeripheralConnection(lamp)
      #expect(await phone.next() == "disconnected")
      phone.manager.connect(lamp)
      phone.manager.cancelPeripheralConnection(lamp)
      #expect(await phone.next() == "disconnected")
      try await device.expect("disconnect", atLeast: 5, after: 0)
      #expect(try await device.status().centrals == [])
    }
  }

  @Test func `a manager that nobody holds any longer leaves the device`() async throws {
    try await withLamp { device in
      var connection: (Phone, CBPeripheral)? = try await connected()
      #expect(try await device.status().centrals.count == 1 && connection != nil)
      connection = nil
      try await device.expect("disconnect", after: 0)
    }
  }

  @Test func `a connection waits until the device can be found, and finds it again`() async throws {
    // The other one keeps the devices of other programs from this phone.
    try await withLamp(["local-name": "Other"]) { _ in
      let phone = Phone()
      #expect(await phone.next() == "poweredOn")
      phone.manager.scanForPeripherals(withServices: nil)
      #expect(await phone.next()?.hasPrefix("found Other") == true)
      try await withLamp { _ in
        #expect(await phone.next()?.hasPrefix("found Lamp") == true)
        phone.manager.connect(phone.peripherals[1])
        #expect(await phone.next() == "connected")
      }
      #expect(await phone.next() == "disconnected: The connection has timed out unexpectedly.")
      let identifiers = [phone.peripherals[1].identifier, UUID()]
      let known = phone.manager.retrievePeripherals(withIdentifiers: identifiers)
      #expect(known == [phone.peripherals[1]])
      let lamp = known[0]
      phone.manager.stopScan()
      phone.manager.connect(lamp)
      phone.manager.cancelPeripheralConnection(lamp)
      #expect(await phone.next() == "disconnected")
      phone.manager.connect(lamp)
      try await withLamp { _ in
        #expect(await phone.next() == "connected")
        let services = [CBUUID(string: "FFE0")]
        #expect(phone.manager.retrieveConnectedPeripherals(withServices: services) == [lamp])
        #expect(phone.manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "180D")]) == [])
      }
    }
  }

  private func findsOnlyFar() async throws {
    let phone = Phone()
    #expect(await phone.next() == "poweredOn")
    phone.manager.scanForPeripherals(withServices: nil)
    #expect(await phone.next()?.hasPrefix("found Far") == true)
    #expect(phone.peripherals.count == 1)
  }

  @Test func `two devices of one kind are two peripherals, and a manager finds those of its test`()
    async throws
  {
    try await withLamp { _ in
      let outer = await scanning()
      try await withLamp(["local-name": "Other"]) { _ in
        #expect(await outer.next()?.hasPrefix("found Other") == true)
        #expect(Set(outer.peripherals.map(\.identifier)).count == 2)
      }
      // Another test, at the same time.
      try await Task.detached {
        try await withLamp(["local-name": "Far"]) { _ in
          try await findsOnlyFar()
        }
      }.value
    }
  }

  @Test func `the owner turns Bluetooth off and on`() async throws {
    defer { BlemuPhone.bluetooth = .poweredOn }
    try await withLamp { device in
      let (phone, lamp) = try await connected()
      BlemuPhone.bluetooth = .poweredOff
      #expect(await phone.next() == "poweredOff")
      #expect(lamp.state == .disconnected)
      try await device.expect("disconnect", after: 0)
      BlemuPhone.bluetooth = .poweredOn
      #expect(await phone.next() == "poweredOn")
      phone.manager.connect(lamp)
      #expect(await phone.next() == "connected")
      BlemuPhone.bluetooth = .unauthorized
      #expect(CBCentralManager.authorization == .denied)
    }
  }

  @Test func `callbacks come one at a time, also on a concurrent queue`() async throws {
    try await withLamp { _ in
      try await withLamp(["local-name": "Other"]) { _ in
        let listener = Listener()
        let manager = CBCentralManager(delegate: listener, queue: listener.queue)
        var names: Set<String> = []
        for await name in listener.names where names.insert(name).inserted && names.count == 2 { break }
        manager.stopScan()
        #expect(names == ["Lamp", "Other"] && listener.most.withLock { $0 } == 1)
      }
    }
  }

  @Test func `services that change are told, and can be found again`() async throws {
    try await withLamp { device in
      let (phone, lamp) = try await connected()
      let before = try #require(lamp.services)
      try await device.expect("subscribe changed", after: 0)
      try await device.send([1, 0, 0xFF, 0xFF], from: "changed")
      #expect(await phone.next() == #"modified ["FFE0"]"#)
      #expect(lamp.services == [])
      lamp.discoverServices(nil)
      #expect(await phone.next() == #"services ["FFE0"]"#)
      #expect(lamp.services != before)
    }
  }

  @Test func `a name that changes is told`() async throws {
    try await withLamp { device in
      let (phone, lamp) = try await connected()
      try await device.set(["local-name": "Lantern"])
      #expect(await phone.next() == "name Lantern")
      #expect(lamp.name == "Lantern")
    }
  }
}
