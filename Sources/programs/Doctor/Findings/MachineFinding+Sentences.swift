import BlueZLimits
import Framing
import Peripheral
import System

extension MachineFinding {
  /// What is so, as a clause, and what to do about it on a machine with these tools; nil: nothing.
  package func sentences(on tools: MachineTools) -> (message: String, remedy: String?) {
    switch self {
    case .refused(let finding, _): (finding.message, finding.sentences(on: tools).hint)

    case .needsNothing: (tools.withoutBluetooth(inMemory: true) ?? "", nil)
    case .containerWithoutBluetooth:
      (
        "this container has a network of its own, in which the kernel offers no Bluetooth",
        "give it the host's network and bus, as in docker run --net=host -v /run/dbus:/run/dbus"
      )
    case .containerWithoutBus(let reason):
      (
        "this container has no system bus: \(reason)",
        "give it the host's, as in docker run -v /run/dbus:/run/dbus"
      )
    case .subsystemWithoutBluetooth:
      (
        "this kernel of Windows Subsystem for Linux has no Bluetooth",
        "build one with CONFIG_BT and CONFIG_BT_HCIBTUSB (https://github.com/dorssel/usbipd-win/wiki/WSL-support)"
      )
    case .subsystemWithoutAdapter:
      (
        "Windows Subsystem for Linux has no Bluetooth adapter",
        "attach a USB adapter in Windows (usbipd bind --busid ID; usbipd attach --wsl --busid ID)"
      )
    case .virtualMachineWithoutAdapter(let kind):
      (
        "this virtual machine (\(kind)) has no Bluetooth adapter",
        "pass a USB adapter of the host through to it"
      )

    case .kernelHasBluetooth(let release, let version):
      ("Linux \(release) has Bluetooth" + (version.map { "; its sources are \($0)" } ?? ""), nil)
    case .kernelWithoutBluetooth(let release):
      ("Linux \(release) has no Bluetooth, and no module for it", tools.loadingBluetooth)
    case .kernelDefect(let defect, let version): ("Linux \(version) \(defect.effect)", defect.remedy)

    case .bluetoothdServes(let facts):
      (
        "\(facts.version?.description ?? "BlueZ of unknown version") runs as process \(facts.process)"
          + (facts.user.map { " of \($0)" } ?? "") + (facts.isExperimental ? ", with --experimental" : ""),
        nil
      )
    case .bluetoothdNotOnBus(let process):
      (
        "bluetoothd runs (process \(process)), but not on this system bus",
        "restart it (\(tools.asRoot(tools.restart))), or correct DBUS_SYSTEM_BUS_ADDRESS"
      )
    case .bluezDefect(let defect, let release):
      ("\(release?.description ?? "BlueZ") \(defect.effect)", defect.remedy)
    case .mayCallBluetoothd(let user): ("\(user) may call bluetoothd", nil)
    case .mayManageAdapters: ("blemu may manage adapters, as --on exact needs", nil)

    case .adapterIsReady(let summary): (summary.sentence, nil)
    case .adapterIsOff(let name): ("\(name) is off; blemu switches it on, and off again at the end", nil)
    case .blockedBySwitch(let name):
      ("a switch of this machine blocks \(name)", "move the switch, or enable Bluetooth in the firmware")
    case .adapterIsHeld(let name):
      (
        "the kernel does not offer \(name): a program has it for itself, or its setup failed",
        "end that program (one that uses the HCI user channel, such as Bumble), or see the kernel's log (\(tools.asRoot("dmesg")))"
      )
    case .othersAdvertise(let name, let count):
      (
        "\(count == 1 ? "another advertisement is" : "\(count) other advertisements are") on \(name)",
        "centrals see all of them at the same address; stop the other programs that advertise"
      )
    case .strayInstances(let name, let count):
      (
        "\(name) advertises \(count == 1 ? "an instance" : "\(count) instances") that bluetoothd does not know",
        "a program has left \(count == 1 ? "it" : "them"); remove \(count == 1 ? "it" : "them") "
          + "(\(tools.asRoot(Self.clearing(name), from: "bluez")))"
      )
    case .centralsAreConnected(let name, let addresses):
      (
        "\(name) has connections: \(addresses.map(\.description).joined(separator: ", "))",
        "a device that takes one central may count it; 'bluetoothctl disconnect ADDRESS' ends one"
      )
    case .someoneScans(let name):
      (
        "a program scans on \(name), which delays advertising and connections",
        "end the scan in that program, such as the Bluetooth settings of the desktop"
      )
    case .deviceRuns(let name, let device):
      ("the device '\(device)' runs on \(name)", "'blemu stop \(device)' ends it")
    case .programListens(let program):
      (
        "\(program.name) (process \(program.process)) has an HCI socket",
        "a program that commands an adapter directly disturbs others; btmon only listens"
      )

    case .configurationIsRead(let path): ("bluetoothd reads \(path)", nil)
    case .configurationIsMissing(let path):
      ("there is no \(path): bluetoothd leaves adapters off", "blemu switches its adapter on itself")
    case .configurationIsUnreadable(let path, let reason):
      ("cannot read \(path): \(reason)", "run blemu doctor as root to examine it")
    case .configurationIsNewer(let path):
      (
        "\(path) has changed since bluetoothd started",
        "restart bluetoothd, which reads it then (\(tools.asRoot(tools.restart)))"
      )
    case .configurationIsBroken(let mistake, let path):
      (
        "\(path):\(mistake.line): bluetoothd ignores the whole file, because '\(VisibleText.escape(mistake.text))' \(mistake.reason)",
        "correct the line, and restart bluetoothd (\(tools.asRoot(tools.restart))); until then, other edits have no effect"
      )
    case .unknownValue(let assignment, let path, let line, let accepted):
      (
        "\(path):\(line): bluetoothd ignores '\(assignment)'",
        "[\(assignment.section)] \(assignment.key) takes \(accepted)"
      )
    case .setting(let setting, let path):
      (setting.effect, "\(setting.circumstance)set \(setting.assignment) in \(path)\(setting.cost)")

    case .definitionFits(let name): ("'blemu check' finds nothing in \(name)", nil)
    case .definitionNotes(let count, let command):
      (
        "the transport serves \(count == 1 ? "a part" : "\(count) parts") of the definition in its own way",
        "'blemu \(command)' lists \(count == 1 ? "it" : "them")"
      )
    case .onAnotherAdapter(let finding): finding.sentences(on: tools)
    case .definitionRemark(let remark): ("\(remark.place): \(remark.message)", remark.hint)
    }
  }
}

// MARK: Defects

extension KernelDefect {
  fileprivate var effect: String {
    switch self {
    case .refusesAdvertisements: "refuses every advertisement of bluetoothd (Invalid Parameters)"
    case .diesWhenCentralLeaves: "can crash when a central connects and leaves at once"
    case .losesMediaTekAdapters: "does not start adapters of MediaTek (btmtk)"
    case .refusesLE2M: "refuses LE 2M when a central asks for it"
    }
  }

  fileprivate var remedy: String {
    let advice =
      switch self {
      case .refusesAdvertisements: "boot 6.1.176, 6.12.94, 6.18.36 or later, or use --on exact"
      case .diesWhenCentralLeaves: "boot 6.12.20 or later"
      case .losesMediaTekAdapters: "boot a later kernel, or use an adapter of another maker"
      case .refusesLE2M: "boot 6.12 or later"
      }
    return source.map { "\(advice); see \($0)" } ?? advice
  }
}

extension BlueZDefect {
  fileprivate var effect: String {
    switch self {
    case .refusesLongWrites: "refuses write requests of 511 and 512 bytes (0D)"
    case .notifiesEverybody: "sends each notification to every central that has subscribed"
    case .ignoresIntervals: "advertises every 1,280 ms, whatever the definition says"
    case .answersLate: "answers late while a device of any program streams values"
    case .forgetsSubscriptions: "sends nothing to a bonded central that comes back, until it subscribes again"
    case .crashesOnScansForServices: "crashes when a program on this machine scans for the UUID of a service"
    }
  }

  fileprivate var remedy: String {
    switch self {
    case .refusesLongWrites: "510 bytes work; BlueZ 5.69 and --on exact take 512"
    case .notifiesEverybody: "BlueZ 5.69 and --on exact send it to the right one"
    case .ignoresIntervals:
      "use BlueZ 5.77 or --on exact, or set MinAdvertisementInterval and MaxAdvertisementInterval under [LE] in main.conf"
    case .answersLate: "--on exact does not wait for other programs"
    case .forgetsSubscriptions: "--on exact sends to it at once"
    case .crashesOnScansForServices:
      "let the program scan for all devices, or use BlueZ 5.88; see github.com/bluez/bluez/issues/2282"
    }
  }
}

// MARK: Settings

extension MachineFinding.Setting {
  fileprivate var assignment: String {
    "'\(remedy)' under [\(remedy.section)]"
  }

  fileprivate var effect: String {
    switch self {
    case .ownDeviceInformation: "bluetoothd serves its own Device Information (180A) before the device's"
    case .fatalMTU: "with ExchangeMTU = 23, this bluetoothd refuses every adapter"
    case .smallMTU(let size): "bluetoothd limits the MTU of every link to \(size)"
    case .enhancedChannels(let count):
      "bluetoothd opens up to \(count) ATT channels, and loses values between two of its own adapters"
    case .adaptersStayOff: "bluetoothd leaves adapters off (AutoEnable = false)"
    case .noRepairing: "a phone that forgets the device cannot pair again"
    case .fixedSecurity(let level):
      ["low", "1"].contains(level)
        ? "bluetoothd checks no permissions of attributes (Security = \(level))"
        : "bluetoothd raises the security of every link (Security = \(level)), and centrals have to pair"
    case .centralIsSearched:
      "bluetoothd reads the services of each phone that connects, and some phones then ask to pair"
    case .cachedAttributes: "a central on this machine remembers the attributes of an earlier device"
    case .noLowEnergyMode: "bluetoothd does not use Bluetooth LE (ControllerMode = bredr)"
    }
  }

  /// What the edit breaks, after it.
  fileprivate var cost: String {
    self == .ownDeviceInformation ? ", \(BlueZLimits.costOfNoDeviceID); --on exact needs no edit" : ""
  }

  /// When it matters, before the edit.
  fileprivate var circumstance: String {
    switch self {
    case .ownDeviceInformation: "for a client that reads 180A: "
    case .smallMTU: "unless the device is meant to have it: "
    case .enhancedChannels: "for a client on another adapter of this machine: "
    case .adaptersStayOff: "blemu switches its adapter on itself; for other programs: "
    case .noRepairing: "for tests that pair repeatedly: "
    case .centralIsSearched: "if phones ask (a central that requests no larger MTU then keeps 23): "
    case .cachedAttributes: "for tests with several devices: "
    case .fatalMTU, .fixedSecurity, .noLowEnergyMode: ""
    }
  }
}

extension AdapterSummary {
  fileprivate var sentence: String {
    let core = bluetoothVersion.flatMap { Self.releases[$0] }.map { "Bluetooth \($0)" }
    let sets = usedInstances.flatMap { used in
      freeInstances.map { "\(used) of \(used + $0) advertising sets in use" }
    }
    let parts = [
      "\(address)", core, roles.isEmpty ? nil : "roles: \(roles.joined(separator: ", "))", sets,
      maximumData.map { "\($0) bytes of advertising data" },
      phys.isEmpty ? "no extended advertising" : "extended advertising on \(phys.joined(separator: ", "))",
    ]
    return parts.compactMap(\.self).joined(separator: "; ")
  }

  /// "Assigned Numbers", section 2.1.
  private static let releases: [UInt8: String] = [
    6: "4.0", 7: "4.1", 8: "4.2", 9: "5.0", 10: "5.1", 11: "5.2", 12: "5.3", 13: "5.4", 14: "6.0", 15: "6.1",
  ]
}
