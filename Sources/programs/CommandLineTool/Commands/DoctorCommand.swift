import BlemuControl
import BlemuJSON
import Devices
import Doctor
import EventLoop
import Glibc

extension Command {
  static let doctor = Command(
    "doctor", .onTheAir, arguments: "[DEFINITION]", words: .definitions,
    summary: "Finds what keeps devices off the air, and how to fix it.",
    options: [
      Option(
        "--on", takes: "TRANSPORT",
        "examines the machine for this transport, and only its adapter, as in 'run --on' (default: bluez)",
        words: .transports(hasAdapter: true)),
      Option("--json", "writes one JSON object per line, for programs"),
    ],
    notes: [
      "Each line is ok, a note or a problem. A problem keeps a device off the air, or takes it off; with a note, a device runs. "
        + "With a DEFINITION, only what concerns this device counts.",
      "It needs no root and no bus, and changes nothing. Root sees more: what the kernel advertises, and who has HCI sockets.",
      "The exit status is 0 without a problem. Otherwise it is that of the first problem: 69, 77 if a permission is missing, or 65 if it is in the definition.",
    ],
    examples: [
      Example("blemu doctor", "examines this machine"),
      Example("blemu doctor hm-10 --on bluez:hci1", "examines what an HM-10 on hci1 needs"),
      Example("blemu doctor --json --on loopback", "prints JSON, for programs"),
    ],
    needsPrivileges: { _ in true }
  ) { arguments throws(CommandError) in
    try DoctorCommand(arguments).run()
  }
}

/// `blemu doctor [DEFINITION]`
struct DoctorCommand {
  private let purpose: Purpose
  private let ofDefinition: [MachineFinding]
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(CommandError) {
    isJSON = arguments["--json"] != nil
    let transport = try TransportSpecification(arguments["--on"])
    var purpose = Purpose(for: transport)
    purpose.isChosen = arguments["--on"] != nil
    var findings: [MachineFinding] = []
    if !arguments.positional.isEmpty {
      let examined = try ExaminedDefinition(arguments.one("DEFINITION"), for: transport)
      (purpose.definition, findings) = (examined.definition, examined.findings)
    }
    (self.purpose, ofDefinition) = (purpose, findings)
  }

  func run() throws(CommandError) -> ExitStatus {
    let facts = Self.facts()
    let report = DoctorReport(
      findings: Examination(of: facts, for: purpose).findings + ofDefinition, facts: facts)
    Terminal.print(isJSON ? report.json : report.text(Terminal.style(of: STDOUT_FILENO)))
    return report.status
  }

  /// Those of this machine, with the running devices of this user.
  static func facts() -> MachineFacts {
    let found = Found()
    _ = EventLoop.run {
      found.facts = await MachineFacts.ofThisMachine()
      return 0
    }
    var facts = found.facts
    for (name, adapter) in runningDevices() {
      guard let index = facts.adapters.firstIndex(where: { $0.name == adapter }) else { continue }
      facts.adapters[index].devices.append(name)
    }
    return facts
  }

  /// Carries the facts out of the event loop.
  @EventLoop
  private final class Found {
    nonisolated(unsafe) var facts = MachineFacts()
    nonisolated init() {}
  }

  private static func runningDevices() -> [(name: String, adapter: String)] {
    ((try? ControlFolder.names()) ?? []).compactMap { name in
      let status = try? RunningDevice(name, patience: 2).call(.status)
      return status?["adapter"]?.text.map { (name, $0) }
    }
  }
}

extension Purpose {
  fileprivate init(for transport: TransportSpecification) {
    self.init()
    switch transport {
    case .bluez(let choice): (stack, self.choice) = (.bluez, choice)
    case .exact(let choice): (stack, self.choice) = (.exact, choice)
    case .controller, .loopback: stack = nil
    }
  }
}
