import BlueZLimits
import Bluetooth
import Kernel
import Peripheral
import System

@testable import Doctor

/// Facts of a machine that does not exist. Nothing is wrong with it unless a test changes it.
enum MadeMachine {
  static let address = DeviceAddress("00:1A:7D:DA:71:13")!
  static let phone = DeviceAddress("4C:32:75:0A:11:9E")!

  static var facts: MachineFacts {
    var facts = MachineFacts()
    facts.kernel.release = "6.12.107+deb13-amd64"
    facts.kernel.version = KernelVersion("6.12.107")
    facts.tools = MachineTools(programs: MachineTools.programsInHints)
    facts.bluetoothd = BluetoothdFacts(process: 512, version: BlueZVersion(5, 82))
    facts.configuration.content = .text(MainConfiguration(configuration))
    facts.adapters = [adapter("hci0")]
    return facts
  }

  static let configuration = """
    [General]
    DeviceID = false
    ReverseServiceDiscovery = false
    JustWorksRepairing = always

    [GATT]
    Channels = 1
    Cache = no

    """

  static func adapter(_ name: String) -> AdapterFacts {
    var adapter = AdapterFacts(name: name)
    adapter.radioSwitch = RadioSwitch(name: name)
    adapter.controller = ControllerInformation(
      address: address, bluetoothVersion: 11, manufacturer: CompanyIdentifier(2),
      supported: [.powered, .lowEnergy], current: [.powered, .lowEnergy], name: name)
    adapter.advertising = AdvertisingFeatures(
      flags: [.secondary1M], maximumAdvertisingData: 251, maximumScanResponse: 251, maximumInstances: 5,
      instances: [])
    var bluez = BlueZAdapterFacts(address: address)
    bluez.roles = ["central", "peripheral"]
    bluez.maximumData = 251
    bluez.secondaryChannels = ["1M", "2M", "Coded"]
    adapter.bluez = bluez
    return adapter
  }
}

extension MachineFacts {
  /// Facts with a change.
  func with(_ change: (inout MachineFacts) -> Void) -> MachineFacts {
    var facts = self
    change(&facts)
    return facts
  }

  /// Replaces a line of main.conf, or adds it.
  mutating func set(_ section: String, _ key: String, _ value: String) {
    guard case .text(let file) = configuration.content else { return }
    var lines = file.lines
    if let index = lines.firstIndex(where: { $0.hasPrefix("\(key) =") }) {
      lines[index] = "\(key) = \(value)"
    } else {
      lines += ["[\(section)]", "\(key) = \(value)"]
    }
    configuration.content = .text(MainConfiguration(lines.joined(separator: "\n")))
  }
}
