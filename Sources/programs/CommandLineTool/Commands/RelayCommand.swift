import Bluetooth
import Centrals
import Definitions
import Devices
import EventLoop
import Exact
import Framing
import Learning
import Peripheral
import TrafficView

extension Command {
  static let relay = Command(
    "relay", .onTheAir, arguments: "DEVICE", words: .any,
    summary: "Stands between a device nearby and its app, and logs what they say.",
    options: [
      Option(
        "--on", takes: "PLACE",
        "selects the adapter that the app connects to: exact[:ADAPTER], exact:CONTROLLER or bluez[:ADAPTER]",
        words: .centralAdapters),
      Option(
        "--through", takes: "PLACE",
        "selects another adapter, through which blemu reaches the device: exact[:ADAPTER] or exact:CONTROLLER (default: exact, the first adapter)",
        words: .centralAdapters),
      Option(
        "--as", takes: "DEFINITION",
        "serves and advertises this definition (default: what the device shows); the log names its messages",
        words: .definitions),
      .take, .within, .pair, .set,
      Option(
        "--state", takes: "FILE", "keeps bonds with the app, and settings that rules change, in FILE",
        words: .files),
      Option(
        "--capture", takes: "FILE",
        "records what the app and the relay say in a new FILE, as 'blemu run' does", words: .files),
      Option(
        "--learn", takes: "NAME",
        "records in NAME.btsnoop, unless --capture names a file, and makes a definition of it in the new folder NAME at the end, as 'blemu learn' does"
      ),
      .fault, .seed, .log, .deviceName, .controlSocket, .noControl,
    ],
    notes: [
      "A DEVICE is its address, or the name that it advertises: 'blemu scan' shows both.",
      "blemu asks the device for its attributes, connects to it, and puts a copy of it on the air. Reads, writes and subscriptions of "
        + "the app go to the device, and its values come back. While the device is gone, the relay does not advertise.",
      "Of a DEFINITION in a file, its own rules come first: the device gets what no rule takes. The rules of a bundled definition, and "
        + "those that a file extends, describe the device, and do not fire.",
      "'blemu journal NAME --transcript' prints the conversation as a transcript. 'blemu fault' and programs that intercept work as with "
        + "'blemu run'.",
    ],
    examples: [
      Example(
        "blemu relay C8:B2:1E:4A:00:01 --on exact:hci1 --through exact:hci0",
        "shows what an app and this device say to each other"),
      Example(
        "blemu relay JK-B2A8S20P --on exact:hci1 --through exact:hci0 --as jk-bms --capture bms.pcapng",
        "names the messages of a battery monitor, and records them"),
      Example(
        "blemu relay C8:B2:1E:4A:00:01 --on exact:hci1 --through exact:hci0 --learn lamp",
        "makes lamp/lamp.yaml from what the app asks and the device answers"),
    ],
    needsPrivileges: { _ in true }
  ) { arguments throws(CommandError) in
    try RelayCommand(arguments).run()
  }
}

/// `blemu relay DEVICE`
struct RelayCommand {
  private let plan: SurveyPlan
  private let transport: TransportSpecification
  private let through: TransportSpecification
  private let definition: DefinitionChoice?
  private let log: LogStyle
  private let arguments: Arguments
  /// The name of the definition that is learnt at the end.
  private let learnt: String?

  init(_ arguments: Arguments) throws(CommandError) {
    var plan = try SurveyPlan(arguments)
    guard let place = arguments["--on"] else {
      throw .missingOption("--on", placeholder: "exact:hci1", with: "blemu relay")
    }
    if case .passkey(nil) = plan.pairing {
      throw .badValue(
        option: "--pair", value: "passkey",
        expected: "just-works, never or six digits, because a relay pairs each time the device returns")
    }
    transport = try TransportSpecification(place)
    if transport == .loopback {
      throw .badValue(
        option: "--on", value: place, expected: "exact:hci1 or bluez:hci1, because an app needs a radio")
    }
    through = try .ownCentral(arguments, option: "--through")
    log = try LogStyle(arguments["--log"])
    definition = try Self.definition(arguments, on: transport)
    if definition == nil, arguments["--set"] != nil {
      throw .missingOption("--as", placeholder: "DEFINITION", with: "--set")
    }
    plan.questions = definition == nil ? .values : .none
    if definition != nil { plan.listening = .zero }
    (self.plan, self.arguments) = (plan, arguments)
    if let clash = through.clash(with: transport) {
      throw CommandError(
        .usage, "'--on' and '--through' cannot both have \(clash.words)",
        "a relay needs two adapters, one for the app and one for the device, as in --on exact:hci1 --through exact:hci0"
      )
    }
    // Before a device is asked.
    _ = try SeedOption.parse(arguments["--seed"])
    learnt = arguments["--learn"]
    if let learnt {
      guard Starter.isName(learnt) else { throw .badName(learnt) }
      try BlemuTool.checkFolder(learnt)
    }
    _ = try CaptureOption.parse(recording)
  }

  /// The file with what the app and the relay say; nil: nobody keeps it.
  private var recording: String? { arguments["--capture"] ?? learnt.map { "\($0).btsnoop" } }

  private static func definition(
    _ arguments: Arguments, on transport: TransportSpecification
  ) throws(CommandError) -> DefinitionChoice? {
    guard let text = arguments["--as"] else { return nil }
    let choice = try DefinitionChoice(
      text, assignments: arguments.all("--set"), on: transport, printsWarnings: false)
    let isBundled = DefinitionLibrary.ofThisProgram().bundledName(of: choice.path) != nil
    return choice.relayed(keepsRules: !isBundled)
  }

  func run() throws(CommandError) -> ExitStatus {
    let status = BlemuTool.run(
      { () async throws(CommandError) in [try await device()] }, log: log, named: false
    ) { () throws(CommandError) in
      throw .failure("a relay cannot be reloaded; stop it and start it again")
    }
    guard status == .success, let learnt, let recording, FileSystem.isFile(recording) else { return status }
    return try LearnCommand(recording, name: learnt).run()
  }
}

// MARK: The relay

extension RelayCommand {
  /// Finds the device, and describes its relay.
  @EventLoop
  private func device() async throws(CommandError) -> DeviceSpecification {
    let found = try await survey()
    let choice: DefinitionChoice
    if let definition { choice = definition } else { choice = Self.face(of: found) }
    let place = arguments["--on"] ?? ""
    var device = DeviceSpecification(
      name: arguments["--name"] ?? ControlChoice.standardName(for: choice.path), choice: choice, place: place,
      transport: transport, control: try ControlChoice(arguments, file: choice.path))
    if let seed = try SeedOption.parse(arguments["--seed"]) { device.seed = seed }
    device.faults = try FaultOption.faults(arguments.all("--fault"), of: choice.definition)
    device.statePath = arguments["--state"]
    device.capture = try CaptureOption.parse(recording)
    device.endsOtherUse = arguments["--take"] != nil
    device.relay = RelaySpecification(
      found.address, through: through, pairing: plan.pairing, endsOtherUse: device.endsOtherUse)
    return device
  }

  @EventLoop
  private func survey() async throws(CommandError) -> Survey.Result {
    let seat = through.makeCentralSeat(endsOtherUse: arguments["--take"] != nil)
    let clock = WallClock()
    let survey = Survey(plan, at: seat) { Instant(microseconds: clock.now.microseconds) }
    survey.onProgress = { if log == .text { Terminal.print($0.line) } }
    let stop = StopRequest()
    stop.onRequest = { survey.stop() }
    let result: Survey.Result
    do throws(SurveyFailure) { result = try await survey.run() } catch { throw .survey(error) }
    if result.remarks.contains(.notConnectable) {
      throw CommandError(
        .unavailable, "\(result.address) advertises as not connectable, so there is nothing to relay",
        "'blemu clone' makes a definition of its advertisement")
    }
    for remark in result.remarks where log == .text { Terminal.print("note: \(remark)\n") }
    return result
  }

  /// The device as a central sees it.
  private static func face(of found: Survey.Result) -> DefinitionChoice {
    var learner = Learner(found.device)
    learner.source = .survey(isSilentWhileConnected: nil)
    let name = learner.ownName ?? "relay"
    let path = name + ".yaml"
    return DefinitionChoice(
      learner.face(name: name).device, path: path, face: nil, chosen: [:], reference: { path }
    )
    .relayed(keepsRules: false)
  }
}
