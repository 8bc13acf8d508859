import BlueZ
import BlueZLimits
import Bluetooth
import DBus
import EventLoop
import Glibc
import System
import Kernel

// MARK: What the kernel and bluetoothd answer

extension MachineFacts {
  /// Looks at this machine. It changes nothing, and starts no bluetoothd.
  ///
  /// - Parameter bus: the address of the system bus.
  @EventLoop
  package static func ofThisMachine(bus: String? = nil) async -> MachineFacts {
    let files = FileTree()
    let (management, hasSockets) = openManagement()
    var facts = MachineFacts(files: files, hasSockets: hasSockets)
    facts.user = .ofThisProcess(files)
    if let management {
      await facts.addControllers(management)
      management.close()
    }
    await facts.addBus(bus ?? DBusConnection.systemBusAddress, files)
    if facts.bluetoothd?.version == nil { facts.bluetoothd?.version = BlueZVersion.installed }
    return facts
  }

  @EventLoop
  private static func openManagement() -> (ManagementSocket?, hasSockets: Bool) {
    do throws(ManagementError) { return (try ManagementSocket.open(), true) } catch {
      return (nil, error != .noBluetooth)
    }
  }

  /// Every user may read what a controller is, and only some what it advertises.
  @EventLoop
  private mutating func addControllers(_ management: ManagementSocket) async {
    for index in (try? await management.controllers()) ?? [] {
      let name = "hci\(index)"
      if !adapters.contains(where: { $0.name == name }) { adapters.append(AdapterFacts(name: name)) }
      let place = adapters.firstIndex { $0.name == name }!
      adapters[place].controller = try? await management.information(of: index)
      adapters[place].advertising = try? await management.advertisingFeatures(of: index)
    }
  }
}

// MARK: The bus

extension MachineFacts {
  @EventLoop
  private mutating func addBus(_ address: String, _ files: FileTree) async {
    let connection: DBusConnection
    do throws(DBusError) {
      connection = try await DBusConnection.connect(to: address, timeout: Self.patience)
    } catch {
      bus = .absent(reason: error.message)
      return
    }
    defer { connection.close() }
    guard let owner = try? await connection.callBus("GetNameOwner", ["org.bluez"]).first?.string else {
      bus = .hasNoBluetoothd
      return
    }
    if let process = try? await connection.callBus("GetConnectionUnixProcessID", [.string(owner)]).first?.int
    {
      bluetoothd = BluetoothdFacts(process: process, files)
      configuration = ConfigurationFacts(files, process)
      programs.removeAll { $0.process == process }
    }
    await askBluetoothd(owner, connection)
  }

  @EventLoop
  private mutating func askBluetoothd(_ owner: String, _ connection: DBusConnection) async {
    do throws(DBusError) {
      let reply = try await connection.call(
        destination: owner, path: "/", interface: "org.freedesktop.DBus.ObjectManager",
        member: "GetManagedObjects", timeout: Self.patience)
      bus = .serves
      for (name, facts) in BlueZAdapterFacts.all(in: reply.first) {
        if !adapters.contains(where: { $0.name == name }) { adapters.append(AdapterFacts(name: name)) }
        adapters[adapters.firstIndex { $0.name == name }!].bluez = facts
      }
      bluetoothd?.version = adapters.lazy.compactMap(\.bluez?.version).first
    } catch {
      bus = error.isAccessDenied ? .denies(reason: error.message) : .isSilent(reason: error.message)
    }
  }

  private static let patience = Duration.seconds(5)
}
