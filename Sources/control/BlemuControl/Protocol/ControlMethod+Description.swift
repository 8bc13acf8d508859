extension ControlMethod {
  /// A year, milliseconds.
  package static let longestAdvance = 31_536_000_000

  package var description: Description {
    switch self {
    case .describe:
      Description(
        "Describes the device: its attributes, messages, settings, variables, controls, states and advertising, with current values."
      )
    case .status:
      Description("Returns the name of the device, whether it is on the air, and the connected centrals.")
    case .get:
      Description(
        "Returns current values of settings, variables, or any expressions of the definition language.",
        [
          Parameter(
            "names", .texts,
            "settings, variables, states or expressions; by default, all settings, variables and the state"),
          Parameter("partial", .boolean, "true: omits names without a value, instead of an error"),
        ])
    case .set:
      Description(
        "Sets settings and variables: all of them, or none if one is wrong.", acts: .always,
        [Parameter("values", .values, isRequired: true, "new values, by the name of the setting or variable")]
      )
    case .press:
      Description(
        "Operates a control: presses a button, turns a switch, moves a slider.", acts: .always,
        [
          Parameter("control", .text, isRequired: true, "the name of the control"),
          Parameter(
            "value", .value, "the new value, for a control with a value; by default, a switch changes sides"),
        ])
    case .send:
      Description(
        "Sends a message, bytes or text from a characteristic or out of the wire side.", acts: .always,
        [Parameter("from", .text, isRequired: true, "the id of a characteristic, or 'wire'")] + Self.content
          + [
            Parameter(
              "central", .text,
              "the address of the only central that gets it; by default, all subscribed centrals")
          ])
    case .wire:
      Description(
        "Puts a message, bytes or text into the wire side, as if the attached party had sent it.",
        acts: .always,
        Self.content)
    case .act:
      Description(
        "Performs an action of a central in memory, with --on loopback: connect, subscribe, write, read, pair.",
        acts: .inScripts,
        [
          Parameter(
            "line", .text, isRequired: true,
            "an action of a central, as a line of a transcript: '> FFE1 41 54'"),
          Parameter("as", .text, "the address of the central; by default 00:00:00:00:00:02"),
        ])
    case .central:
      Description(
        "Plays a central in memory, with --on loopback, that addresses attributes by their handles, for a Bluetooth library on top. It lasts as long as this connection, which gets its values as notifications 'central'.",
        [
          Parameter(
            "do", .choice(CentralAct.allCases.map(\.rawValue)), isRequired: true,
            "what the central does; scan: tells how the device advertises, now and after each change"),
          Parameter("as", .text, "connect: the address of the central; by default the first that is free"),
          Parameter(
            "mtu", .integer(23...517), "connect: the ATT_MTU that the central asks for; by default 517"),
          Parameter("handle", .integer(1...0xFFFF), "read, write: the handle of a value or a descriptor"),
          Parameter("value", .bytes, "write: the value"),
          Parameter(
            "kind", .choice(["request", "command", "reliable"]),
            "write: request (default); command, without a response; reliable, in parts that the device echoes"
          ),
          Parameter("bond", .boolean, "pair: whether the keys are kept; by default true"),
          Parameter(
            "passkey", .integer(0...999_999), "pair: the passkey that a person enters at the central"),
        ])
    case .advertise:
      Description(
        "Starts or stops advertising.", acts: .always,
        [Parameter("on", .boolean, isRequired: true, "true: starts; false: stops")])
    case .disconnect:
      Description(
        "Ends the connection of a central, or all connections.", acts: .always,
        [
          Parameter("central", .text, "the address of the central; by default, all"),
          Parameter("reason", .text, "the HCI error that the central gets, as in 'remote-low-resources'"),
        ])
    case .forget:
      Description(
        "Forgets the bond with a central, or all bonds, as a factory reset does. Links go on.", acts: .always,
        [Parameter("central", .text, "the address of the central, connected or not; by default, all")])
    case .reset: Description("Resets the device; settings stay.", acts: .always)
    case .faults:
      Description(
        "Adds or removes a fault, and lists all faults, with how often each was applied.", acts: .with("add"),
        [
          Parameter(
            "add", .text, "a fault in the words of definitions, as in 'drop out on serial every 3rd'"),
          Parameter("remove", .integer(1...Int.max), "the number of a fault"),
          Parameter("remove-all", .boolean, "true: removes all faults, before 'add'"),
        ])
    case .advance:
      Description(
        "Advances the clock of a device in memory: its timers fire in order, without waiting, each at its own time.",
        acts: .always,
        [
          Parameter(
            "by", .integer(0...Self.longestAdvance), isRequired: true,
            "the time in milliseconds; at most a year")
        ])
    case .journal:
      Description(
        "Returns events of the journal, oldest first.",
        [
          Self.after,
          Parameter(
            "most", .integer(1...10_000),
            "the maximum number of events; by default 1000. 'after' continues from there"),
          Parameter(
            "wait", .integer(0...30_000),
            "how long to wait for an event if there is none yet, milliseconds; by default 0"),
          Parameter(
            "format", .choice(["json", "text", "transcript"]),
            "json (default): objects; text: lines of the log; transcript: lines of a transcript, or none for an event"
          ),
        ])
    case .expect:
      Description(
        "Waits for lines of the journal, and fails if they do not occur.",
        [
          Parameter(
            "lines", .texts, isRequired: true,
            "the expected events, in this order, in the words of transcripts"),
          Parameter("within", .integer(0...86_400_000), "how long to wait, milliseconds; by default 0"),
          Parameter(
            "at-least", .integer(1...1_000_000), "how often a single line must occur; by default 1"),
          Parameter(
            "at-most", .integer(0...1_000_000),
            "how often a single line may occur until the time of 'within' is over; 0: never"),
          Parameter(
            "after", .integer(0...Int.max),
            "the number of the event after which events count; 0: from the start. By default, they count from the last request of this connection that acted on the device, or from the end of its last met expectation if that is later"
          ),
        ])
    case .share:
      Description(
        "Makes this connection one of a shell's commands, which share the place where expectations begin.")
    case .expectations: Description("Lists the last 100 expectations of all programs, with their results.")
    case .watch:
      Description(
        "Sends each event as a notification 'event', from now on or from an earlier event on.",
        [Self.after, Self.format])
    case .unwatch: Description("Ends the watch of this connection.")
    case .intercept:
      Description(
        "Asks this program about matching acts of centrals before the rules handle them, with a request 'intercepted' each time.",
        [
          Parameter(
            "what", .text, isRequired: true,
            "a read, a write or a message of a central, in the words of transcripts: '> serial day-request month=1', 'read level'"
          ),
          Parameter(
            "within", .integer(1...25_000),
            "how long the program may take for an answer, milliseconds; by default 1000. Then the rules go on"
          ),
        ])
    case .unintercept:
      Description(
        "Ends an interception of this connection.",
        [Parameter("intercept", .integer(1...Int.max), isRequired: true, "the number of the interception")])
    case .cancel:
      Description(
        "Ends a waiting request of this connection, 'expect' or 'journal'. That request gets an error; nothing else changes.",
        [Parameter("id", .id, isRequired: true, "the id of the request")])
    case .stop: Description("Takes the device off the air and ends it.")
    }
  }
}

// MARK: Parameters of several methods

extension ControlMethod {
  static let content: [Parameter] = [
    Parameter("message", .text, "the name of a message"),
    Parameter("fields", .values, "the values of the message's fields, by name, as in 'cells[0].voltage'"),
    Parameter("bytes", .bytes, "bytes in hex, instead of a message"),
    Parameter("text", .text, "text, instead of a message"),
    Parameter(
      "value", .text, "any of these in the words of transcripts: 'day-total packets=5', '4F 4B', '\"OK\"'"),
  ]

  private static let after = Parameter(
    "after", .integer(0...Int.max),
    "the number of the event before the first; by default 0: from the first that is kept")

  private static let format = Parameter(
    "format", .choice(["json", "text"]), "json (default): objects; text: the lines of the log")
}
