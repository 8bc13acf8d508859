import BlemuControl
import BlemuJSON

extension Command {
  static let journal = Command(
    "journal", .running, arguments: "NAME", words: .devices,
    summary: "Prints the events of a device, with numbers.",
    options: [
      .after, .json,
      Option("--transcript", "prints the events as a transcript for 'blemu test'"),
    ],
    notes: [
      "NAME is a name from 'blemu ps', or the path of a socket. The journal keeps the last 10,000 events, at most 8 MiB."
    ],
    examples: [Example("blemu journal hm-10 --json", "prints each event as a JSON object")]
  ) { arguments throws(CommandError) in
    try JournalCommand(arguments, isNumbered: true).run()
  }
}

/// `blemu logs NAME` and `blemu journal NAME`: what has happened to a device, as lines of the log, as JSON or as a transcript.
struct JournalCommand {
  private enum Format: String {
    case text, json, transcript
  }

  private let name: String
  private let format: Format
  private let follows: Bool
  private let isNumbered: Bool
  private let after: Int

  init(_ arguments: Arguments, isNumbered: Bool) throws(CommandError) {
    name = try arguments.one("NAME")
    if arguments["--json"] != nil, arguments["--transcript"] != nil {
      throw .conflictingOptions("--json", "--transcript")
    }
    format = arguments["--json"] != nil ? .json : arguments["--transcript"] != nil ? .transcript : .text
    follows = arguments["-f"] != nil
    self.isNumbered = isNumbered
    guard let text = arguments["--after"] else {
      after = 0
      return
    }
    guard let number = Int(text), number >= 0 else {
      throw .badValue(option: "--after", value: text, expected: "the number of an event, 0 or greater")
    }
    after = number
  }

  func run() throws(CommandError) -> ExitStatus {
    let device = try RunningDevice(name)
    try follows ? follow(device) : printAll(of: device)
    return .success
  }

  private func printAll(of device: RunningDevice) throws(CommandError) {
    var after = after
    while true {
      let page = try device.call(.journal, ["after": .integer(after), "format": .string(format.rawValue)])
      let events = page["events"]?.elements ?? []
      if after == self.after, let head = page["head"]?.text { Terminal.print(head) }
      if after < (page["first"]?.wholeNumber ?? 1) - 1, after == self.after, isNumbered {
        let forgotten = (page["first"]?.wholeNumber ?? 1) - 1 - after
        Terminal.printError("blemu: \(forgotten) earlier events are no longer in the journal\n")
      }
      let last = page["after"]?.wholeNumber ?? after
      for (index, event) in events.enumerated() { show(event, number: last - events.count + 1 + index) }
      guard !events.isEmpty, last > after, last < (page["last"]?.wholeNumber ?? 0) else { return }
      after = last
    }
  }

  private func follow(_ device: RunningDevice) throws(CommandError) {
    _ = try device.call(.watch, ["after": .integer(after), "format": .string(format.rawValue)])
    while Terminal.lostOutput == nil, let event = try device.nextEvent() {
      show(format == .json ? event : event["lines"] ?? "", number: event["number"]?.wholeNumber ?? 0)
    }
  }

  private func show(_ event: JSONValue, number: Int) {
    if format == .transcript, event == "" { return }
    guard isNumbered, format == .text else { return Terminal.print(event.plain + "\n") }
    let lines = event.plain.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      Terminal.print((index == 0 ? "\(number)" : "").aligned(to: 6) + "  \(line)\n")
    }
  }
}
