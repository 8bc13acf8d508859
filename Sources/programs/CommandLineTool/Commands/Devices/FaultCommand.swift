import BlemuJSON
import Framing

extension Command {
  static let fault = Command(
    "fault", .running, arguments: "NAME [FAULT]", words: .faults,
    summary: "Adds or lists faults of a device.",
    options: [
      Option("--remove", takes: "NUMBER", "removes the fault with this number"),
      Option("--remove-all", "removes all faults"),
      .json,
    ],
    examples: [
      Example("blemu fault hm-10 drop out on FFE1 every 3rd", "drops every third value"),
      Example("blemu fault hm-10", "lists the faults, and how often each was applied"),
      Example("blemu fault hm-10 --remove-all", "removes all faults"),
    ]
  ) { arguments throws(CommandError) in
    try FaultCommand(arguments).run()
  }
}

/// `blemu fault NAME [FAULT]`
private struct FaultCommand {
  private let command: DeviceArguments
  /// The fault to add.
  private let text: JSONValue?
  /// The number of the fault to remove.
  private let number: JSONValue?
  private let removesAll: JSONValue?

  init(_ arguments: Arguments) throws(CommandError) {
    command = try DeviceArguments(arguments)
    text = command.rest.isEmpty ? nil : .string(command.rest.joined(separator: " "))
    removesAll = arguments["--remove-all"] == nil ? nil : true
    guard let word = arguments["--remove"] else {
      number = nil
      return
    }
    guard let value = Int(word), value > 0 else {
      throw .badValue(
        option: "--remove", value: word,
        expected: "the number of a fault, as 'blemu fault \(command.name)' lists")
    }
    number = .integer(value)
  }

  /// Adds or removes a fault, or lists all.
  func run() throws(CommandError) -> ExitStatus {
    let result = try command.device().call(
      .faults, ["add": text, "remove": number, "remove-all": removesAll])
    if command.isJSON {
      Terminal.print(result.line + "\n")
    } else if let number = result["number"]?.wholeNumber {
      Terminal.print("fault \(number)\n")
    } else if number == nil, removesAll == nil {
      for fault in result["faults"]?.elements ?? [] { Terminal.print(Self.line(of: fault)) }
    }
    return .success
  }

  private static func line(of fault: JSONValue) -> String {
    let (seen, struck) = (fault["seen"]?.wholeNumber ?? 0, fault["struck"]?.wholeNumber ?? 0)
    let end = fault["spent"]?.truth == true ? ", spent" : ""
    return "\(fault["number"]?.wholeNumber ?? 0)".aligned(to: 4)
      + "  \(fault["fault"]?.text ?? "")  (struck \(struck) of \(seen)\(end))\n"
  }
}
