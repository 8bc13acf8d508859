package import BlemuJSON

/// What a program can ask of a running device, by the method's name in JSON-RPC. The server, the schema and the documentation
/// are made from what is said of the methods here.
package enum ControlMethod: String, CaseIterable, Sendable {
  case describe, status, get, set, press, send, wire, act, advertise, disconnect, reset, faults, advance,
    journal,
    expect, share, expectations, watch, unwatch, intercept, unintercept, cancel
  case stop

  /// A parameter, by name.
  package struct Parameter: Sendable {
    package var name: String
    package var type: ControlType
    package var isRequired: Bool
    package var summary: String

    init(_ name: String, _ type: ControlType, isRequired: Bool = false, _ summary: String) {
      (self.name, self.type, self.isRequired, self.summary) = (name, type, isRequired, summary)
    }
  }
}

extension ControlMethod {
  /// Whether a request does something to the device: the expectations that follow begin there.
  ///
  /// - Parameter isScript: whether it is a command of a shell, for which the lines of a central are acts as well. A program plays
  ///   the central as a party of its own, whose lines it expects in the end: as on the air, these move nothing.
  package func acts(_ parameters: JSONValue, isScript: Bool) -> Bool {
    switch self {
    case .set, .press, .send, .wire, .advertise, .disconnect, .reset, .advance: true
    case .faults: parameters["add"] != nil
    case .act: isScript
    case .describe, .status, .get, .journal, .expect, .share, .expectations, .watch, .unwatch, .intercept,
      .unintercept, .cancel, .stop:
      false
    }
  }

  package var summary: String {
    switch self {
    case .describe:
      "Describes the device: its attributes, messages, settings, variables, controls, states and advertising, with their present values."
    case .status: "Says what the device is, whether it is on the air, and who is connected."
    case .get:
      "Returns present values: of settings, of variables, or of any expressions of the definition language."
    case .set: "Sets settings and variables: all of them, or none if one is wrong."
    case .press: "Operates a control: presses a button, turns a switch, moves a slider."
    case .send: "Sends a message, bytes or text from a characteristic or out of the wire side."
    case .wire: "Puts a message, bytes or text into the wire side, as what is attached there does."
    case .act:
      "Lets a central in memory do something, with --on loopback: connect, subscribe, write, read, pair."
    case .advertise: "Starts or stops advertising."
    case .disconnect: "Ends the connection of a central, or of all."
    case .reset: "Resets the device, as its own reset does: settings stay."
    case .faults: "Adds or removes a fault, and lists those that there are, with what they have struck."
    case .advance:
      "Advances the clock of a device in memory: its timers fire at once, in their order, each at its own time."
    case .journal: "Returns events of the journal, oldest first."
    case .expect: "Waits until lines of the journal have come, and fails if they do not."
    case .share:
      "Makes this connection one of a shell's commands, which share the place where expectations begin."
    case .expectations: "Lists what programs have expected, the last 100, with what has become of it."
    case .watch: "Sends each event as a notification 'event' from now on, or from an earlier one on."
    case .unwatch: "Ends the watch of this connection."
    case .intercept:
      "Asks this program about what centrals do, before the rules get it: with a request 'intercepted' each time."
    case .unintercept: "Ends an interception of this connection."
    case .cancel:
      "Ends a request of this connection that waits, 'expect' or 'journal': it is answered with an error, and has no other effect."
    case .stop: "Takes the device off the air and ends it."
    }
  }

  package var parameters: [Parameter] {
    switch self {
    case .describe, .status, .reset, .stop, .unwatch, .share, .expectations: []
    case .get:
      [
        Parameter(
          "names", .texts,
          "settings, variables, states or expressions; without it, all settings, variables and the state"),
        Parameter("partial", .boolean, "true: leaves out what has no value, in place of an error"),
      ]
    case .set:
      [Parameter("values", .values, isRequired: true, "new values, by the name of the setting or variable")]
    case .press:
      [
        Parameter("control", .text, isRequired: true, "its name"),
        Parameter(
          "value", .value, "for a control with a value; without it, a switch turns to its other side"),
      ]
    case .send:
      [
        Parameter("from", .text, isRequired: true, "the id of a characteristic, or 'wire'")
      ] + Self.content + [
        Parameter(
          "central", .text,
          "the address of the only central that gets it; without it, all that have subscribed")
      ]
    case .wire: Self.content
    case .act:
      [
        Parameter(
          "line", .text, isRequired: true, "a line of a transcript that a central does, as in '> FFE1 41 54'"),
        Parameter("as", .text, "the address of the central; by default 00:00:00:00:00:02"),
      ]
    case .advertise: [Parameter("on", .boolean, isRequired: true, "whether it advertises from now on")]
    case .disconnect:
      [
        Parameter("central", .text, "its address; without it, all"),
        Parameter("reason", .text, "the HCI error that it gets, as in 'remote-low-resources'"),
      ]
    case .faults:
      [
        Parameter("add", .text, "a fault in the words of definitions, as in 'drop on serial every 3rd'"),
        Parameter("remove", .integer(1...Int.max), "the number of a fault"),
        Parameter("remove-all", .boolean, "true: removes all faults, before 'add'"),
      ]
    case .advance:
      [
        Parameter(
          "by", .integer(1...Self.longestAdvance), isRequired: true,
          "by how much, milliseconds; at most a year")
      ]
    case .journal:
      [
        Self.after,
        Parameter(
          "most", .integer(1...10_000), "the most events; by default 1000. The rest follow with 'after'"),
        Parameter(
          "wait", .integer(0...30_000),
          "how long to wait for an event if there is none yet, milliseconds; by default 0"),
        Parameter(
          "format", .choice(["json", "text", "transcript"]),
          "json (default): objects; text: the lines of the log; transcript: the lines of a transcript, which may be none"
        ),
      ]
    case .expect:
      [
        Parameter(
          "lines", .texts, isRequired: true, "what is expected, in this order, in the words of transcripts"),
        Parameter("within", .integer(0...86_400_000), "how long to wait for it, milliseconds; by default 0"),
        Parameter(
          "at-least", .integer(1...1_000_000), "how many times the only line is expected; by default 1"),
        Parameter(
          "at-most", .integer(0...1_000_000),
          "how many times the only line may come until the time of 'within' is over; 0: never"),
        Parameter(
          "after", .integer(0...Int.max),
          "the number of the event after which it counts; by default the last one before this connection has last done something to the device, or the last one of its last expectation that was met, whichever is later; 0: from the start"
        ),
      ]
    case .watch: [Self.after, Self.format]
    case .intercept:
      [
        Parameter(
          "what", .text, isRequired: true,
          "a read, a write or a message of a central, in the words of transcripts: '> serial day-request month=1', 'read level'"
        ),
        Parameter(
          "within", .integer(1...25_000),
          "how long the program may take for an answer, milliseconds; by default 1000. Then the rules go on"),
      ]
    case .unintercept:
      [Parameter("intercept", .integer(1...Int.max), isRequired: true, "the number of the interception")]
    case .cancel: [Parameter("id", .id, isRequired: true, "the id of the request")]
    }
  }

  /// A year, milliseconds.
  package static let longestAdvance = 31_536_000_000

  static var content: [Parameter] {
    [
      Parameter("message", .text, "the name of a message"),
      Parameter("fields", .values, "the values of the message's fields, by name, as in 'cells[0].voltage'"),
      Parameter("bytes", .bytes, "bytes in hex, in place of a message"),
      Parameter("text", .text, "text, in place of a message"),
      Parameter(
        "value", .text, "any of these in the words of transcripts: 'day-total packets=5', '4F 4B', '\"OK\"'"),
    ]
  }

  private static var after: Parameter {
    Parameter(
      "after", .integer(0...Int.max),
      "the number of the event before the first; by default 0: from the first that is kept")
  }

  private static var format: Parameter {
    Parameter("format", .choice(["json", "text"]), "json (default): objects; text: the lines of the log")
  }
}

/// The type of a parameter.
package enum ControlType: Sendable {
  case text
  case texts
  case integer(ClosedRange<Int>)
  case boolean
  /// Hex digits in pairs, with spaces or without.
  case bytes
  /// The id of a request: a text or a whole number.
  case id
  case choice([String])
  /// A number, a text, true or false; or bytes, as in `{"bytes": "A5 06"}`.
  case value
  /// An object of these.
  case values
}

extension ControlType {
  /// Why a value is not of this type, as in `a text is needed`; nil: it is.
  package func problem(with value: JSONValue) -> String? {
    switch self {
    case .text: value.text == nil ? "must be a text" : nil
    case .bytes: value.text == nil ? "must be a text with hex digits" : nil
    case .id: value.text == nil && value.wholeNumber == nil ? "must be a text or a whole number" : nil
    case .boolean: value.truth == nil ? "must be true or false" : nil
    case .texts:
      value.elements?.allSatisfy { $0.text != nil } == true ? nil : "must be a list of texts"
    case .integer(let range):
      value.wholeNumber.map(range.contains) == true
        ? nil : "must be a whole number, \(range.lowerBound) to \(range.upperBound)"
    case .choice(let words):
      value.text.map(words.contains) == true ? nil : "must be \(words.joined(separator: " or "))"
    case .value:
      value.isScalar || value.hexOfBytes != nil
        ? nil : "must be a number, a text, true, false, or an object with 'bytes' in hex"
    case .values:
      value.members?.allSatisfy { $0.value.isScalar || $0.value.hexOfBytes != nil } == true
        ? nil
        : "must be an object whose values are numbers, texts, true, false, or objects with 'bytes' in hex"
    }
  }

  /// Its JSON Schema.
  package var schema: JSONValue {
    switch self {
    case .text: ["type": "string"]
    case .texts: ["type": "array", "items": ["type": "string"]]
    case .boolean: ["type": "boolean"]
    case .bytes: ["type": "string", "pattern": "^([0-9A-Fa-f]{2}\\s*)*$"]
    case .id: ["type": ["string", "integer"]]
    case .integer(let range) where range.upperBound == .max:
      ["type": "integer", "minimum": .integer(range.lowerBound)]
    case .integer(let range):
      ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    case .choice(let words): ["enum": .array(words.map(JSONValue.string))]
    case .value:
      [
        "anyOf": [
          ["type": ["number", "string", "boolean"]],
          [
            "type": "object", "properties": ["bytes": Self.bytes.schema], "required": ["bytes"],
            "additionalProperties": false,
          ],
        ]
      ]
    case .values: ["type": "object", "additionalProperties": Self.value.schema]
    }
  }
}

extension JSONValue {
  /// The hex digits of a value that is bytes, as in `{"bytes": "A5 06"}`; nil: it is something else.
  package var hexOfBytes: String? { members?.count == 1 ? self["bytes"]?.text : nil }

  /// Whether it is a number, a text, true or false.
  package var isScalar: Bool {
    switch self {
    case .string, .integer, .decimal, .boolean: true
    case .null, .array, .object: false
    }
  }
}
