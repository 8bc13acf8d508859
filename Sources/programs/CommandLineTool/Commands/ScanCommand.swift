import Bluetooth
import Centrals
import Devices
import EventLoop
import Exact
import Framing
import Glibc
import Peripheral

extension Command {
  static let scan = Command(
    "scan", .writing, words: .any,
    summary: "Shows which devices advertise nearby.",
    options: [
      .ownCentral, .take,
      Option("--for", takes: "TIME", "ends after TIME, as in 10s (default: at Ctrl-C)"),
      Option(
        "--passive", "does not ask the devices for their scan responses, which often have the name"),
      Option("--rssi", takes: "DBM", "leaves out devices that are weaker than DBM, as in -70"),
      .json,
    ],
    notes: [
      "On a terminal, blemu shows a table with the strongest device first. Otherwise it prints a line for each device that it hears "
        + "for the first time, and for each that advertises something else than before.",
      "blemu takes the adapter from the kernel until the end of the scan, as 'blemu run --on exact' does.",
    ],
    examples: [
      Example("blemu scan --on exact:hci0", "shows what advertises, until Ctrl-C"),
      Example(
        "blemu scan --on exact:tcp:localhost:6402 --for 5s --json",
        "prints a line of JSON for each device on the air of tools/radio"),
    ],
    needsPrivileges: { _ in true }
  ) { arguments throws(CommandError) in
    try ScanCommand(arguments).run()
  }
}

/// `blemu scan`
struct ScanCommand {
  private let transport: TransportSpecification
  private let endsOtherUse: Bool
  private let duration: Duration?
  private let isActive: Bool
  private let display: ScanDisplay
  /// How often the table is drawn again.
  private static let interval = Duration.milliseconds(500)

  init(_ arguments: Arguments) throws(CommandError) {
    if let word = arguments.positional.first { throw .unexpectedArgument(word, command: "scan") }
    transport = try .ownCentral(arguments)
    endsOtherUse = arguments["--take"] != nil
    duration = try arguments.duration("--for")
    isActive = arguments["--passive"] == nil
    var leastRSSI: Int8?
    if let text = arguments["--rssi"] {
      leastRSSI = Int8(text)
      guard leastRSSI != nil else {
        throw .badValue(option: "--rssi", value: text, expected: "a number of dBm, as in -70")
      }
    }
    display = ScanDisplay(isJSON: arguments["--json"] != nil, leastRSSI: leastRSSI)
  }

  func run() throws(CommandError) -> ExitStatus {
    BlemuTool.runLoop { () async throws(CommandError) in
      do throws(TransportError) { try await scan() } catch { throw .run(.transport(error)) }
      return .success
    }
  }

  @EventLoop
  private func scan() async throws(TransportError) {
    let seat = transport.makeCentralSeat(endsOtherUse: endsOtherUse)
    let stop = StopRequest()
    stop.onRequest = { seat.stopScanning() }
    stop.watchReader(of: STDOUT_FILENO)
    let end = duration.map { EventLoop.after($0) { seat.stopScanning() } }
    let scan = RunningScan(display)
    scan.startDrawing(every: Self.interval)
    let outcome: Result<Void, TransportError>
    do throws(TransportError) {
      try await seat.scan(isActive: isActive) { scan.take($0) }
      outcome = .success(())
    } catch { outcome = .failure(error) }
    end?.cancel()
    scan.finish()
    await seat.leave()
    try outcome.get()
  }
}
