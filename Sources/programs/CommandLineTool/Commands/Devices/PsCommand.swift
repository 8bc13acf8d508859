import BlemuControl
import Framing
import BlemuJSON
import TrafficView

extension Command {
  static let ps = Command(
    "ps", .running, words: .nothing,
    summary: "Lists the running devices.",
    options: [.json],
    examples: [Example("blemu ps", "lists names, adapters, addresses and counts")]
  ) { arguments throws(CommandError) in
    try PsCommand(arguments).run()
  }
}

/// `blemu ps`: the devices that run.
struct PsCommand {
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(CommandError) {
    try arguments.none()
    isJSON = arguments["--json"] != nil
  }

  func run() throws(CommandError) -> ExitStatus {
    var devices: [JSONValue] = []
    for name in try names() {
      do throws(CommandError) {
        devices.append(try RunningDevice(name, patience: Self.patience).call(.status))
      } catch  where error.refusal == .noAnswer {
        Terminal.printError("blemu: '\(name)' does not answer; its process may be suspended\n")
      } catch {
        continue  // a device that was killed has left its socket, or one has just ended
      }
    }
    if isJSON {
      for device in devices { Terminal.print(device.line + "\n") }
    } else {
      Terminal.print(Self.table([Self.head] + devices.map(Self.row)))
    }
    return .success
  }

  private func names() throws(CommandError) -> [String] {
    do { return try ControlFolder.names() } catch { throw .device(error, name: "") }
  }

  /// Seconds. A stopped device never answers.
  private static let patience = 2

  private static let head = ["NAME", "DEVICE", "ON", "ADDRESS", "UP", "CENTRALS", "IN", "OUT"]

  private static func row(_ status: JSONValue) -> [String] {
    let isOnAir = status["on-air"]?.truth ?? false
    let place = status["adapter"]?.text ?? status["transport"]?.text ?? ""
    let time = Duration.milliseconds(status["milliseconds"]?.wholeNumber ?? 0)
    return [
      status["name"]?.text ?? "", status["definition"]?.text ?? "", place, status["address"]?.text ?? "",
      isOnAir ? time.inWords : "off the air", "\(status["centrals"]?.elements?.count ?? 0)",
      "\(status["values-in"]?.wholeNumber ?? 0)", "\(status["values-out"]?.wholeNumber ?? 0)",
    ]
  }

  private static func table(_ rows: [[String]]) -> String {
    let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}
