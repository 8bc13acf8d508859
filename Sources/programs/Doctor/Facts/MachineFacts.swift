import BlueZLimits
import Bluetooth
import Framing
import System

/// What is known at one moment of a machine, its kernel, its BlueZ and its adapters.
package struct MachineFacts: Hashable, Sendable {
  package var kernel = KernelFacts()
  package var surroundings = Surroundings()
  package var user = UserFacts()
  package var tools = MachineTools(programs: [])
  package var bus = BusState.serves
  /// nil: no process of this name runs, as far as can be seen.
  package var bluetoothd: BluetoothdFacts?
  package var configuration = ConfigurationFacts()
  package var adapters: [AdapterFacts] = []
  /// Switches of radios that belong to no adapter of the kernel, such as a key of a laptop.
  package var switches: [RadioSwitch] = []
  /// Programs other than bluetoothd that have HCI sockets; empty for an ordinary user, who cannot see them.
  package var programs: [RunningProgram] = []

  package init() {}
}

package struct KernelFacts: Hashable, Sendable {
  /// The kernel's answer to a request for a Bluetooth socket.
  package enum Sockets: Hashable, Sendable {
    case work
    /// It has none.
    case absent
    /// It has Bluetooth, but not in the network namespace of this process (`bt_sock_create`, net/bluetooth/af_bluetooth.c).
    case inAnotherNetwork
  }

  /// As `uname -r` prints it.
  package var release = ""
  /// The version of the sources: a distribution's release need not contain it. nil: unknown.
  package var version: KernelVersion?
  package var sockets = Sockets.work
}

/// What the machine runs in.
package struct Surroundings: Hashable, Sendable {
  /// The kind of container, for example `docker`; nil: none.
  package var container: String?
  /// The virtual machine, for example `QEMU`; nil: none, as far as can be seen.
  package var virtualMachine: String?
  /// Windows Subsystem for Linux.
  package var isSubsystem = false
}

package struct UserFacts: Hashable, Sendable {
  package var name = "root"
  /// The names of the user's groups.
  package var groups: [String] = []
  /// Whether this program has `CAP_NET_ADMIN`.
  package var hasCapabilities = true
}

/// What the system bus says of bluetoothd.
package enum BusState: Hashable, Sendable {
  case absent(reason: String)
  /// Nobody has the name `org.bluez`.
  case hasNoBluetoothd
  case denies(reason: String)
  /// bluetoothd gave no answer, or an error.
  case isSilent(reason: String)
  case serves
}

package struct BluetoothdFacts: Hashable, Sendable {
  package var process: Int
  /// The name of the user who runs it; nil: unknown.
  package var user: String?
  /// nil: unknown.
  package var version: BlueZVersion?
  package var isExperimental = false

  package init(process: Int, user: String? = "root", version: BlueZVersion? = nil) {
    (self.process, self.user, self.version) = (process, user, version)
  }
}

package struct ConfigurationFacts: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case missing
    case unreadable(reason: String)
    case text(MainConfiguration)
  }

  package var path = "/etc/bluetooth/main.conf"
  package var content = Content.missing
  /// Whether the file is newer than the process of bluetoothd.
  package var isNewerThanBluetoothd = false
}

package struct RadioSwitch: Hashable, Sendable {
  package var name: String
  /// Blocked by a program or a key; a program can unblock it.
  package var isSoftBlocked: Bool
  /// Blocked by a switch of the machine, which no program can change.
  package var isHardBlocked: Bool

  package init(name: String, isSoftBlocked: Bool = false, isHardBlocked: Bool = false) {
    (self.name, self.isSoftBlocked, self.isHardBlocked) = (name, isSoftBlocked, isHardBlocked)
  }
}

package struct RunningProgram: Hashable, Sendable {
  /// Without control characters, which a program may have in its name.
  package let name: String
  package let process: Int

  package init(name: String, process: Int) {
    (self.name, self.process) = (VisibleText.escape(name), process)
  }
}
