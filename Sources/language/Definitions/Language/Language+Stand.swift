extension Language {
  /// The outline of a stand's file.
  package static var stand: ObjectShape { Stand.outline.shape }

  /// Several devices of one process.
  struct Stand: LanguageObject {
    static let outline = Outline("a stand", Self()) {
      [$0.name, $0.devices]
    }

    let name = Key.required("stand", .text(.plain), "the stand's name, as in 'stand: Desk'")
    let devices = ListKey.required(
      "devices", .map(.deviceName, .object(StandDevice.self), atLeast: 1, atMost: 1000),
      "its devices, by the names that 'blemu ps' shows")
  }

  struct StandDevice: LanguageObject {
    static let outline = Outline("a device of a stand", Self()) {
      [$0.definition, $0.transport, $0.settings, $0.seed, $0.state, $0.wire, $0.faults, $0.restart]
    }

    let definition = Key.required(
      "definition", .text(.plain), "a bundled definition, or the path of a file, from the stand's folder")
    let transport = Key.optional(
      "on", .text(.transport), "its transport and adapter, as after '--on'; bluez by default")
    let settings = ListKey.optional(
      "set", .map(.identifier, .text(.value)), "values of the definition's settings")
    let seed = Key.optional(
      "seed", .integer(0 ... .max), "seeds random values and faults; the same number gives the same ones")
    let state = Key.optional(
      "state", .text(.plain), "the file that keeps settings and bonds for the next run")
    let wire = Key.optional(
      "wire", .object(StandWire.self), "the program, terminal, socket or port at its wire side")
    let faults = ListKey.optional(
      "faults", .list(.text(.fault)), "its deliberate faults, besides the definition's")
    let restart = Key.optional(
      "restart", .choice(Definitions.Stand.Restart.allCases.map(\.rawValue)),
      "whether it restarts after a failure: never (the default) or on-failure")
  }

  struct StandWire: LanguageObject {
    static let outline = Outline(
      "an attachment of a wire side", Self(),
      oneOf: .keys([Variant("pty"), Variant("exec", may: ["restart"]), Variant("tcp"), Variant("serial")])
    ) {
      [$0.terminal, $0.program, $0.restart, $0.port, $0.serial]
    }

    let terminal = Key.optional("pty", .text(.plain), "a pseudo-terminal, linked at this path")
    let program = ListKey.optional(
      "exec", .oneOrMore(.text(.plain)), "a program and its arguments: [python3, -u, robot.py]")
    let restart = Key.optional(
      "restart", .text(.plain), "when that program restarts: never, on-failure (the default) or always")
    let port = Key.optional("tcp", .text(.plain), "a TCP port, or HOST:PORT")
    let serial = Key.optional("serial", .text(.plain), "a serial port: /dev/ttyUSB0 or /dev/ttyUSB0:9600")
  }
}
