import Behavior
import Bluetooth
import ControlServer
import Definitions
import DeviceModel
import EventLoop
import Faults
import Glibc
import Loopback
import Peripheral
import TrafficView
import Wire

/// `blemu run DEFINITION`
struct RunCommand {
  private enum LogStyle: String {
    case text, json, none
  }

  private let choice: DefinitionChoice
  private let transport: TransportSpecification
  private let wireSide: WireSide
  private let logStyle: LogStyle
  private let seed: UInt64
  private let statePath: String?
  private let forgetsBonds: Bool
  private let control: ControlChoice
  /// As after `--on`.
  private let place: String
  /// Those of the command line; the definition has others.
  private let faults: [Fault]

  init(_ arguments: Arguments) throws(CommandError) {
    transport = try TransportSpecification(arguments["--on"])
    logStyle = try Self.logStyle(arguments["--log"])
    wireSide = try WireSide(arguments)
    seed = try SeedOption.parse(arguments["--seed"]) ?? UInt64.random(in: 0 ... .max)
    choice = try DefinitionChoice(
      arguments.one("DEFINITION", for: .run), assignments: arguments.all("--set"), on: transport,
      printsWarnings: false)
    control = try ControlChoice(arguments, file: choice.path)
    place = arguments["--on"] ?? "bluez"
    faults = try FaultOption.faults(arguments.all("--fault"), of: choice.definition)
    statePath = arguments["--state"]
    forgetsBonds = arguments["--forget-bonds"] != nil
    try checkForgetting()
    try checkWireSide()
  }

  private static func logStyle(_ text: String?) throws(CommandError) -> LogStyle {
    guard let text else { return .text }
    guard let style = LogStyle(rawValue: text) else {
      throw .badValue(option: "--log", value: text, expected: "text, json or none")
    }
    return style
  }

  private func checkWireSide() throws(CommandError) {
    guard let option = wireSide.option, !choice.definition.hasWireSide else { return }
    throw .noWireSide(definition: choice.definition.name, option: option)
  }

  private func checkForgetting() throws(CommandError) {
    guard forgetsBonds else { return }
    if statePath == nil { throw .missingOption("--state", placeholder: "FILE", with: "--forget-bonds") }
    if case .bluez = transport { throw .bondsOfBluetoothd }
  }

  /// Runs until a signal ends it, or until the device cannot go on the air.
  func run() throws(CommandError) -> ExitStatus {
    signal(SIGPIPE, SIG_IGN)
    Heap.keepLargeBlocksApart()
    return BlemuTool.runLoop { () async throws(CommandError) in
      try await serve()
      return .success
    }
  }

  @EventLoop
  private func serve() async throws(CommandError) {
    let memory = try statePath.map { path throws(CommandError) in
      SettingsKeeper(try StateFile(path, for: choice))
    }
    let bonded = memory?.centrals ?? []
    let log = makeLog()
    let journal = control.isOn ? Journal() : nil
    let transport = transport.makeTransport()
    let wire = try makeWire(on: transport, settings: memory?.settings ?? choice.settings)
    let stage = FaultStage(of: choice.definition, seed: seed)
    for fault in faults { stage.add(fault) }
    let peripheral = LivePeripheral(
      choice.definition, settings: choice.settings, transport: FaultyTransport(transport, stage),
      wire: wire.map { FaultyWire($0, stage) }, memory: memory,
      sinks: ([log, journal] as [(any TrafficSink)?]).compactMap(\.self),
      options: EngineOptions(seed: seed, unixTime: Int64(time(nil))), forgetsBonds: forgetsBonds)
    let stop = StopRequest()
    let server = try journal.flatMap { journal throws(CommandError) in
      try control.listen { name in
        ControlledDevice(
          name: name, file: choice.path, transport: place, peripheral: peripheral,
          definition: choice.definition,
          journal: journal, faults: stage, memory: transport as? LoopbackTransport, stop: { stop.make() })
      }
    }
    do {
      try await peripheral.start()
    } catch {
      await peripheral.stop()
      server?.close()
      log?.finish()
      throw Self.commandError(error)
    }
    if forgetsBonds { Self.tellForgotten(bonded) }
    await stop.wait()
    await peripheral.stop()
    server?.close()
    log?.finish()
    try memory?.finish()
  }

  @EventLoop
  private func makeLog() -> TrafficLog? {
    let format: any TrafficFormat
    let descriptor = if case .standardStreams = wireSide { STDERR_FILENO } else { STDOUT_FILENO }
    switch logStyle {
    case .text: format = TextFormat(Terminal.style(of: descriptor))
    case .json: format = JSONFormat()
    case .none: return nil
    }
    return TrafficLog(format, to: descriptor)
  }

  /// Makes the attachment, with the speed of the device's UART.
  @EventLoop
  private func makeWire(
    on transport: any Transport, settings: [Value]
  ) throws(CommandError) -> (any WireAttachment)? {
    do throws(WireError) {
      let baud = choice.definition.firstBaud(settings)
      guard let attachment = try wireSide.attachment(baud: baud) else { return nil }
      return PacedWire(
        attachment, baud: wireSide.isLine ? nil : baud, for: choice.definition, on: transport)
    } catch {
      throw .wire(error)
    }
  }

  private static func tellForgotten(_ centrals: [LinkAddress]) {
    let names = centrals.map(\.description).joined(separator: ", ")
    Terminal.printError(
      centrals.isEmpty ? "blemu: there are no bonds to forget\n" : "blemu: forgot the bonds with \(names)\n")
  }

  private static func commandError(_ error: any Error) -> CommandError {
    switch error {
    case let error as TransportError: .transport(error)
    default: .failure("\(error)")
    }
  }
}

extension PeripheralDefinition {
  /// The speed to open the wire side with. If it is not valid, the device reports the error when it starts.
  fileprivate func firstBaud(_ settings: [Value]) -> Int? {
    guard wire.baud != nil else { return nil }
    let address = DeviceAddress([0, 0, 0, 0, 0, 0])!
    return (try? wire.baud(in: context(settings: settings, address: address))) ?? 9600
  }
}
