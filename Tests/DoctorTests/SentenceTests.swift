import Peripheral
import System
import TestSupport
import Testing

@testable import Doctor

/// The words of findings, and the page that lists them.
@Suite struct SentenceTests {
  @Test(arguments: Complaint.all)
  func `what is not well has a remedy, and what is well has none`(complaint: Complaint) throws {
    let (message, remedy) = try #require(complaint.finding).sentences(on: complaint.facts.tools)
    #expect((remedy == nil) == (complaint.level == .ok), "\(message)")
    #expect(!message.hasSuffix(".") && remedy?.hasSuffix(".") != true)
  }

  @Test(arguments: Complaint.all)
  func `the commands of a remedy are those in the sentence`(complaint: Complaint) throws {
    let finding = try #require(complaint.finding)
    var (user, tools) = (complaint.facts.user, complaint.facts.tools)
    user.name = "$USER"
    let remedy = finding.sentences(on: tools).remedy ?? ""
    for command in finding.commands(for: user, on: tools) {
      #expect(remedy.contains("sudo \(command)"), "\(remedy)")
    }
    tools.programs = []
    #expect(finding.sentences(on: tools).remedy?.contains("sudo ") != true)
  }

  /// What each lacks, or has, and the hint there.
  @Test(
    arguments: [
      (.noBluetoothd, tools(), "start it: sudo systemctl start bluetooth"),
      (.noBluetoothd, tools { $0.hasSystemd = false }, "start it: sudo service bluetooth start"),
      (.noBluetoothd, tools { $0.hasBluetoothd = false }, "install it (sudo apt-get install bluez)"),
      (.noBluetoothd, tools { ($0.hasBluetoothd, $0.programs) = (false, []) }, "install it"),
      (
        .noBluetoothd, tools { $0.isBluetoothdMasked = true },
        "it is masked; unmask and start it: sudo systemctl unmask bluetooth && sudo systemctl start bluetooth"
      ),
      (.blockedByRFKill("hci0"), tools(), "unblock it: sudo rfkill unblock bluetooth"),
      (
        .blockedByRFKill("hci0"), tools { $0.programs.remove("rfkill") },
        "unblock it: sudo apt-get install rfkill && sudo rfkill unblock bluetooth"
      ),
      (
        .blockedByRFKill("hci0"), tools { ($0.programs, $0.isRoot) = ([], true) },
        "unblock it: rfkill unblock bluetooth, once 'rfkill' is installed"
      ),
      (
        .blockedByRFKill("hci0"), tools { $0.programs.remove("sudo") },
        "unblock it: su -c 'rfkill unblock bluetooth'"
      ),
      (.noSockets, tools(), "load them (sudo modprobe bluetooth)"),
      (
        .noSockets, tools { $0.isInContainer = true },
        "on the host, load the module 'bluetooth'; start the container with the host's network (--net=host)"
      ),
      (
        .noSockets, tools { ($0.hasBluetoothModule, $0.programs) = (false, []) },
        "boot a kernel with Bluetooth (Debian's cloud kernels have none)"
      ),
      (
        .noneFree(["hci0"]), tools { $0.repository = "/src/" },
        "each device needs an adapter, and so does a client on this machine: stop a device, or add adapters, "
          + "as in /src/tools/vm --controllers 4"
      ),
      (
        .noneFree(["hci0"]), tools(),
        "each device needs an adapter, and so does a client on this machine: stop a device, or add adapters"
      ),
    ] as [(AdapterFinding, MachineTools, String)])
  func `a hint names what the machine has`(finding: AdapterFinding, tools: MachineTools, hint: String) {
    #expect(finding.sentences(on: tools).hint == hint)
  }

  private static func tools(_ change: (inout MachineTools) -> Void = { _ in }) -> MachineTools {
    var tools = MadeMachine.facts.tools
    change(&tools)
    return tools
  }

  @Test func `what works without Bluetooth depends on the command, and on where the program is`() {
    var tools = MadeMachine.facts.tools
    #expect(tools.withoutBluetooth(inMemory: false) == nil)
    #expect(
      tools.withoutBluetooth(inMemory: true)
        == "without Bluetooth: '--on loopback' runs the device in memory, and 'blemu play' lets you play its central"
    )
    tools.repository = ""
    #expect(
      tools.withoutBluetooth(inMemory: false)?.hasSuffix("tools/vm has BlueZ with virtual adapters") == true)
  }

  @Test func `the edit that hides the adapter from some clients says so`() throws {
    let complaint = try #require(Complaint.all.first { $0.code == "own-device-information" })
    let remedy = complaint.finding?.sentences(on: complaint.facts.tools).remedy
    #expect(
      remedy
        == "for a client that reads 180A: set 'DeviceID = false' under [General] in /etc/bluetooth/main.conf, "
        + "which hides the adapter from Rust clients (btleplug); --on exact needs no edit")
  }

  @Test func `the page lists every finding as it is said`() throws {
    let page = try Page("Peripherals/guide/doctor.md")
    let lines = page.text.split(separator: "\n").drop { $0 != "## What it finds" }
    let listed = lines.filter { $0.hasPrefix("| `") }.map(String.init)
    let rows = Complaint.all.map { complaint in
      let message = complaint.finding?.sentences(on: complaint.facts.tools).message ?? "nothing"
      return "| `\(complaint.code)` | \(complaint.level.rawValue) | \(message) |"
    }
    #expect(listed == rows, "the rows are:\n\(rows.joined(separator: "\n"))")
  }

  /// Those of a definition are made by the command.
  @Test func `every case has a machine that provokes it`() throws {
    let folder = Repository.path + "Sources/programs/Doctor/Findings/"
    let files = ["MachineFinding.swift", "KernelDefect.swift", "BlueZDefect.swift"]
    let lines = files.flatMap { name in
      String(decoding: Repository.bytes(ofFile: folder + name) ?? [], as: UTF8.self).split(separator: "\n")
    }
    let names = lines.compactMap { line -> String? in
      let words = line.split(separator: " ")
      guard let at = words.firstIndex(of: "case"), at < 2, words.count > at + 1, line.hasPrefix("  ") else {
        return nil
      }
      return String(words[at + 1].prefix { $0.isLetter || $0.isNumber })
    }
    let wrappers = [
      "refused", "kernelDefect", "bluezDefect", "setting", "onAnotherAdapter", "ok", "note", "problem",
    ]
    let ofDefinition = ["definitionFits", "definitionRemark", "definitionNotes"]
    let wanted = names.filter { !$0.isEmpty && !(wrappers + ofDefinition).contains($0) }.map {
      MachineFinding.code(ofCase: $0)
    }
    #expect(wanted.count > 40)
    #expect(Set(wanted).subtracting(Complaint.all.map { $0.code }).isEmpty)
  }
}
