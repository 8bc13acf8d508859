import DBus
import EventLoop
import Glibc

/// Stands in for bluetoothd, in a process of its own: takes a device that registers, subscribes to its first characteristic, and
/// writes to it again once the last value has been answered.
///
/// It prints a line when it has its name on the bus of `DBUS_SYSTEM_BUS_ADDRESS`. After all rounds it ends the program of the device with SIGTERM, and itself with the bus.
@EventLoop
final class Bluetoothd {
  private static let value: [UInt8] = [0x45] + Array(repeating: 0x2A, count: 19)
  private static let adapter: ObjectPath = "/org/bluez/hci0"
  private static let options: DBusValue = [
    "device": .objectPath("/org/bluez/hci0/dev_02_00_00_00_00_02"), "link": "LE", "mtu": .uint16(23),
  ]

  private let connection: DBusConnection
  /// How many notifications answer a write.
  private let notifications: Int
  private var rounds: Int
  private var registrations = Registrations()
  /// The device's name on the bus, and the path of its characteristic.
  private var device = (name: "", characteristic: Bluetoothd.adapter)
  private var socket: FileDescriptor?
  private var watch: EventLoop.DescriptorWatch?
  /// What has not come yet in this round: notifications, and the answer to the write.
  private var missing = 0

  private struct Registrations: ~Copyable {
    var root: Registration?
    var adapter: Registration?
  }

  private init(_ connection: DBusConnection, rounds: Int, notifications: Int) {
    (self.connection, self.rounds, self.notifications) = (connection, rounds, notifications)
  }

  /// Runs until the bus ends.
  nonisolated static func run(rounds: Int, notifications: Int) {
    _ = EventLoop.run { @EventLoop in
      do {
        let connection = try await DBusConnection.connect()
        let bluetoothd = Bluetoothd(connection, rounds: rounds, notifications: notifications)
        bluetoothd.export()
        _ = try await connection.callBus("RequestName", ["org.bluez", .uint32(0)])
        print("serving")
        fflush(nil)
        await withCheckedContinuation { continuation in
          connection.onDisconnect = { continuation.resume() }
        }
        withExtendedLifetime(bluetoothd) {}
        return 0
      } catch {
        fatalError("\(error)")
      }
    }
  }
}

// MARK: Objects

extension Bluetoothd {
  private func export() {
    let objects = DBusMethod("GetManagedObjects") { $0.reply([Self.objects]) }
    registrations.root = connection.export(
      ExportedObject(
        path: "/", interfaces: [DBusInterface("org.freedesktop.DBus.ObjectManager", methods: [objects])]))
    registrations.adapter = connection.export(
      ExportedObject(
        path: Self.adapter,
        interfaces: [
          DBusInterface("org.freedesktop.DBus.Properties", methods: [DBusMethod("Set") { $0.reply() }]),
          DBusInterface(
            "org.bluez.GattManager1",
            methods: [
              DBusMethod("RegisterApplication") { self.registerApplication($0) },
              DBusMethod("UnregisterApplication") { $0.reply() },
            ]),
          DBusInterface(
            "org.bluez.LEAdvertisingManager1",
            methods: [
              DBusMethod("RegisterAdvertisement") { self.registerAdvertisement($0) },
              DBusMethod("UnregisterAdvertisement") { $0.reply() },
            ]),
        ]))
  }

  private static var objects: DBusValue {
    let interfaces: [(String, DBusValue)] = [
      (
        "org.bluez.Adapter1",
        [
          "Address": "02:00:00:00:00:01", "AddressType": "public", "Name": "bench", "Alias": "bench",
          "Powered": true, "Pairable": true, "PairableTimeout": .uint32(0),
        ]
      ),
      ("org.bluez.GattManager1", [:]),
      ("org.bluez.LEAdvertisingManager1", ["ActiveInstances": .byte(0), "SupportedInstances": .byte(5)]),
    ]
    return .array(
      of: "{oa{sa{sv}}}",
      [
        .dictEntry(
          key: .objectPath(adapter),
          value: .array(
            of: "{sa{sv}}", interfaces.map { .dictEntry(key: .string($0.0), value: $0.1) }))
      ])
  }

  /// bluetoothd reads the objects of a device before it answers.
  private func registerApplication(_ call: consuming MethodCall) {
    var reader = call.reader()
    guard let root = try? reader.objectPath() else { fatalError("no path") }
    device.name = call.sender ?? ""
    let call = DeferredCall(call)
    ask(root, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects") { reply in
      guard let objects = try? reply.value().dictionary,
        let path = objects.first(where: { $1.dictionary?["org.bluez.GattCharacteristic1"] != nil })?.key
      else { fatalError("no characteristic") }
      self.device.characteristic = ObjectPath(path)!
      call.take()?.reply()
    }
  }

  private func registerAdvertisement(_ call: consuming MethodCall) {
    var reader = call.reader()
    guard let path = try? reader.objectPath() else { fatalError("no path") }
    let call = DeferredCall(call)
    ask(path, "org.freedesktop.DBus.Properties", "GetAll", ["org.bluez.LEAdvertisement1"]) { _ in
      call.take()?.reply()
      self.subscribe()
    }
  }
}

// MARK: Values

extension Bluetoothd {
  private func subscribe() {
    ask(device.characteristic, "org.bluez.GattCharacteristic1", "AcquireNotify", [Self.options]) { reply in
      guard let socket = try? reply.fileDescriptor() else { fatalError("no socket") }
      self.socket = socket
      self.watch = EventLoop.DescriptorWatch(socket.rawValue, for: .readable) { [unowned self] _ in
        receive()
      }
      self.write()
    }
  }

  private func write() {
    rounds -= 1
    guard rounds >= 0 else { return end() }
    missing = notifications + 1
    let arguments: [DBusValue] = [.bytes(Self.value), Self.options]
    ask(device.characteristic, "org.bluez.GattCharacteristic1", "WriteValue", arguments) { _ in self.came() }
  }

  private func receive() {
    var value = [UInt8](repeating: 0, count: 32)
    while let socket, recv(socket.rawValue, &value, value.count, Int32(MSG_DONTWAIT)) == Self.value.count {
      guard value.starts(with: Self.value) else { fatalError("other bytes: \(value)") }
      came()
    }
  }

  private func came() {
    missing -= 1
    if missing == 0 { write() }
  }

  private func end() {
    watch = nil
    socket = nil
    EventLoop.start { [self] in
      let reply = try? await connection.callBus("GetConnectionUnixProcessID", [.string(device.name)])
      guard let process = reply?.first?.int else { fatalError("no process") }
      kill(pid_t(process), SIGTERM)
    }
  }

  private func ask(
    _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
    _ body: @escaping @EventLoop (inout MessageReader) -> Void
  ) {
    let call = try! DBusMessage.methodCall(
      destination: device.name, path: path, interface: interface, member: member, arguments: arguments)
    connection.send(call, timeout: .seconds(600)) { reply in
      do throws(DBusError) {
        var reader = try reply.get().reader()
        body(&reader)
      } catch {
        fatalError("\(member): \(error)")
      }
    }
  }
}
