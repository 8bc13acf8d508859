/// The commands of blemu. The help, the manual page and the completion of shells are made from what is said of them here
/// and in the other files of this folder. To add one: a case here with its options, and a file in `Commands/`.
enum Command: String, CaseIterable {
  case run, up, check, show, play, test, list, new
  // Those that steer a running device.
  case ps, web, logs, get, set, press, send, wire, act, expect, fault, advance, journal, advertise,
    disconnect, reset, stop
  case schema, completion, man, help, version

  /// Whether it steers a running device.
  var isForRunning: Bool { Self.forRunning.contains(self) }

  private static let forRunning: Set<Command> = [
    .ps, .web, .logs, .get, .set, .press, .send, .wire, .act, .expect, .fault, .advance, .journal,
    .advertise, .disconnect, .reset, .stop,
  ]

  /// An option of a command.
  struct Option {
    var name: String
    /// The placeholder for its value in help; nil if it takes none.
    var placeholder: String?
    var summary: String
    /// Whether it takes all words that follow, up to a `--`.
    var takesAll = false
    /// Whether each of several values counts, and not only the last.
    var isRepeatable = false
    /// What its value may be.
    var words = Words.any
  }

  /// A command line that works, and what it does.
  struct Example {
    var line: String
    var summary: String
  }

  /// The placeholders for its arguments in help.
  var arguments: String {
    switch self {
    case .run: "DEFINITION[@PLACE]…"
    case .up: "STAND [NAME…]"
    case .show, .play: "DEFINITION"
    case .check: "FILE…"
    case .test: "[PATH…]"
    case .list: "[WORD]"
    case .new: "NAME"
    case .completion: "bash|zsh|fish"
    case .schema: "[stand|control]"
    case .man, .version, .ps: ""
    case .logs, .journal, .reset: "NAME"
    case .get: "NAME [EXPRESSION…]"
    case .set: "NAME SETTING=VALUE…"
    case .press: "NAME CONTROL[=VALUE]"
    case .send: "NAME PLACE VALUE…"
    case .wire: "NAME VALUE…"
    case .act: "NAME LINE"
    case .expect: "NAME LINE… [within TIME]"
    case .advance: "NAME TIME"
    case .fault: "NAME [FAULT]"
    case .advertise: "NAME on|off"
    case .disconnect: "NAME [CENTRAL]"
    case .stop: "NAME…"
    case .web: "[NAME…]"
    case .help: "[COMMAND]"
    }
  }

  /// What its arguments may be.
  var words: Words {
    switch self {
    case .run: .placedDefinitions
    case .up: .standDevices
    case .show, .play, .check: .definitions
    case .test: .transcripts
    case .help: .commands
    case .list: .any
    case .new: .files
    case .completion: .oneOf(CompletionScript.allCases.map(\.rawValue))
    case .schema: .oneOf(SchemaCommand.names)
    case .man, .version, .ps: .nothing
    case .logs, .journal, .reset, .get, .set, .press, .send, .wire, .act, .expect, .fault, .advance,
      .advertise, .disconnect, .stop, .web:
      .devices
    }
  }

  var summary: String {
    switch self {
    case .run: "Puts a peripheral on the air, or several."
    case .up: "Puts the devices of a stand on the air."
    case .check: "Reports every mistake in definitions, transcripts and stands."
    case .show: "Shows what a central will see."
    case .play: "Lets you play the central in the terminal, without Bluetooth."
    case .test: "Runs transcripts and reports where a device differs from them."
    case .list: "Lists the bundled definitions, or those with a word in name or summary."
    case .new: "Makes a folder with a small definition, a transcript, a face and a README."
    case .ps: "Lists the devices that run."
    case .web: "Serves a page that shows and steers running devices in a browser."
    case .logs: "Prints the log of a running device."
    case .get: "Prints present values of a device: settings, variables, any expression."
    case .set: "Sets settings and variables of a device."
    case .press: "Operates a control of a device: a button, a switch, a slider."
    case .send: "Sends a value from a characteristic of a device."
    case .wire: "Puts a value into the wire side of a device."
    case .act: "Plays a central of a device in memory, a line at a time."
    case .expect: "Waits until something has happened to a device, or fails."
    case .fault: "Lets something go wrong with a device, or lists what does."
    case .advance: "Lets time pass for a device in memory, at once."
    case .journal: "Prints what has happened to a device, with numbers."
    case .advertise: "Starts or stops the advertising of a device."
    case .disconnect: "Ends a connection of a device, or all."
    case .reset: "Resets a device, as its own reset does."
    case .stop: "Takes devices off the air and ends them."
    case .schema: "Prints a JSON Schema of definitions, of stands, or of the control protocol."
    case .completion: "Prints a script that lets a shell complete command lines."
    case .man: "Prints the manual page."
    case .help: "Explains a command."
    case .version: "Prints the version."
    }
  }

  /// Paragraphs at the end of its help.
  var notes: [String] {
    switch self {
    case .run:
      [
        "--exec takes all words that follow, up to a '--' or the end: blemu run hm-10 --exec python3 -u robot.py",
        "Only one of --pty, --exec, --tcp, --serial and --stdio can be used. Its other end may close and reopen.",
        "PLACE is an adapter or what --on takes. Several devices run in one process; the options \(SeveralDevices.options.joined(separator: ", ")) hold for all of them. "
          + "One that fails stops no other.",
      ]
    case .up:
      [
        "A STAND is the folder of the only one in it, or a file such as: stand: Desk, then devices: { belt: { definition: heart-rate-belt, on: bluez:hci0 }, "
          + "scale: { definition: ./scale.yaml, on: exact:hci1, restart: on-failure } }. "
          + "A device may also have set, seed, state, wire and faults. 'blemu schema stand' lists all keys.",
        "NAME is a device's; without one, all run. 'blemu stop NAME' ends one of them. A device that fails stops no other. "
          + "The exit status is that of the first that has failed.",
      ]
    case .check:
      [
        "A FILE is a definition, the name of a bundled one, a folder with definitions, a stand, a transcript beside its definition, or - for a definition on standard input."
      ]
    case .test:
      [
        "A PATH is a transcript, a definition, a folder of them, or the name of a bundled definition. "
          + "TRANSCRIPT:LINE is the section at that line. Without a PATH, blemu tests the current folder."
      ]
    case .new:
      [
        "NAME is the new folder, in any folder that is there: devices/lamp. Its last part names the files. "
          + "Nothing is overwritten."
      ]
    case .completion:
      [
        "tools/install puts the scripts where shells look for them. "
          + "They ask 'blemu completion words -- WORD…' what can come next."
      ]
    case .web:
      [
        "blemu prints the address of the page. It contains a token: only a browser that has opened this address gets in. "
          + "Ctrl-C ends the server.",
        "The page shows the devices with these NAMEs; without one, all that run, also those that start later. A NAME with a '/' "
          + "is the path of a device's socket.",
        "By default, only this machine can reach the page. With another ADDRESS, such as 0.0.0.0 for all of this machine's, others "
          + "can, too, and the connection is not encrypted. It is safer to type 'ssh -L 25368:localhost:25368 HOST' on the other "
          + "machine, and to open the page there.",
      ]
    case .logs, .journal:
      [
        "NAME is that of 'blemu ps', or the path of a socket. The journal keeps the last 10,000 events, at most 8 MiB."
      ]
    case .send, .wire:
      [
        "A VALUE is a message with its fields, bytes in hex, or text in double quotes, as in transcripts; "
          + "its words may be separate. --text takes text as it is."
      ]
    case .act:
      [
        "The device runs with --on loopback. A LINE is one of a transcript that a central does: connect, subscribe, '> ID VALUE', "
          + "read, disconnect, pair; its words may be separate. A value that is read is printed in hex. The exit status is 1 if the "
          + "device refuses."
      ]
    case .expect:
      [
        "A LINE is one of a transcript, also for what a central does: '> FFE1 41 54', '< FFE1 \"OK\"', 'connect', "
          + "'* \"a line of the log\"', '* level < 5'. Several lines are expected in their order. The words of a line may be "
          + "separate.",
        "After the lines: within TIME, at least N, at most N, exactly N, never. The exit status is 1 if it does not come.",
        "What has already come counts, too, but only since the last command that has done something to the device (press, set, "
          + "send, wire, act, fault, advance, advertise, disconnect, reset), or after what the last 'expect' has found, whichever "
          + "is later. 'from start' counts all events, 'from now' those that come from now on, 'from N' those from the event with "
          + "the number N on, 'after N' those after it.",
      ]
    case .advance:
      [
        "TIME is a number with ms, s or min, at most a year. The device runs with --on loopback. Its timers fire at once, in their "
          + "order, and the journal has each event with its own time. The command ends when all of them have fired. From then on "
          + "the device's clock is ahead by TIME, and runs on."
      ]
    default: []
    }
  }
}
