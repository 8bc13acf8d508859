import BlemuControl
import Definitions
import EventLoop

/// The reason why a command failed. What several places say is a function, here or in the file of its subject.
struct CommandError: Error, Hashable {
  let status: ExitStatus
  /// What happened; nil if that has already been printed.
  let message: String?
  /// What to do next.
  let hint: String?
  /// What is printed before the message.
  var report: String?
  /// Whether 'blemu doctor' looks for this reason.
  var isOfMachine = false
  /// Whether the machine has no Bluetooth.
  var isWithoutBluetooth = false
  /// Why a running device has not done what was asked of it.
  var refusal: ControlFailure?

  init(_ status: ExitStatus, _ message: String? = nil, _ hint: String? = nil) {
    (self.status, self.message, self.hint) = (status, message, hint)
  }

  /// The mistakes have been printed.
  static let badDefinition = Self(.badDefinition)
  /// What is wrong has been printed.
  static func reported(_ status: ExitStatus) -> Self { Self(status) }

  static func failure(_ message: String) -> Self { Self(.bug, message, "this is a bug in blemu") }
}

extension CommandError: CustomStringConvertible {
  /// What happened, and on a further line what to do next.
  var description: String { (message ?? "") + (hint.map { "\n  \($0)" } ?? "") }
}

// MARK: The command line

extension CommandError {
  static func unknownOption(_ option: String, command: String, known: [String]) -> Self {
    Self(
      .usage, "'\(command)' has no option '\(option)'",
      transportHint(for: option, command, known) ?? Suggestion.hint(for: option, in: known))
  }

  /// For the name of a transport in place of `--on` with it.
  private static func transportHint(for option: String, _ command: String, _ known: [String]) -> String? {
    guard ["--loopback", "--bluez", "--exact"].contains(option) else { return nil }
    let transport = String(option.dropFirst(2))
    if known.contains("--on") {
      let isDefault = command == Command.test.name && transport == "loopback"
      return "write --on \(transport)\(isDefault ? ", or leave it out: it is the default" : "")"
    }
    return command == Command.play.name && transport == "loopback"
      ? "leave it out: 'play' runs in memory" : nil
  }

  /// - Parameter one: the only device.
  static func oneDeviceToCompare(_ one: String) -> Self {
    Self(
      .usage, "'diff' compares two devices, and '\(one)' is one",
      "name another after it: a definition, a bundled one (blemu list) or a recording")
  }

  static func missingValue(option: String, placeholder: String) -> Self {
    Self(.usage, "'\(option)' needs a value", "\(option) \(placeholder)")
  }

  static func missingOption(_ option: String, placeholder: String, with other: String) -> Self {
    Self(.usage, "'\(other)' also needs '\(option)'", "\(option) \(placeholder)")
  }

  static func unexpectedValue(option: String) -> Self { Self(.usage, "'\(option)' takes no value") }

  /// - Parameter option: an option, or a key of a stand.
  static func badValue(option: String, value: String, expected: String) -> Self {
    Self(.usage, "'\(value)' is not a value of '\(option)'", expected)
  }

  static func missingArgument(_ name: String, command: String) -> Self {
    Self(
      .usage, "'\(command)' needs a \(name)",
      "'blemu help \(command)' explains the command, \(source(of: name, for: command))")
  }

  /// Where a person finds what an argument may be.
  private static func source(of argument: String, for command: String) -> String {
    if Command.named(command)?.isForRunning == true { return "'blemu ps' lists the running devices" }
    return switch argument {
    case "STAND": "and shows a stand"
    case "DEVICE": "'blemu scan' shows which devices advertise"
    default: "'blemu list' lists the bundled definitions"
    }
  }

  /// The argument is missing because an option has taken all words after it.
  static func takenArgument(_ name: String, command: String, by option: String, words: [String]) -> Self {
    let words = words.joined(separator: " ")
    return Self(
      .usage, "'\(command)' needs a \(name), but '\(option)' took all words after it: '\(words)'",
      "put the \(name) before '\(option)', or put '--' between the program's last word and the \(name)")
  }

  static func unexpectedArgument(_ text: String, command: String) -> Self {
    Self(.usage, "'\(command)' takes no argument '\(text)'", "'blemu help \(command)' shows its arguments")
  }

  static func badArgument(_ text: String, command: String, known: [String]) -> Self {
    Self(.usage, "'\(command)' does not know '\(text)'", Suggestion.hint(for: text, in: known))
  }

  static func conflictingOptions(_ one: String, _ other: String) -> Self {
    Self(.usage, "'\(one)' and '\(other)' cannot be used together", "remove one of them")
  }

  /// An option that asks questions, without a terminal.
  static func needsTerminal(option: String, otherwise: String) -> Self {
    Self(.usage, "'\(option)' asks questions, and standard input is not a terminal", otherwise)
  }

  /// An option that applies to one device was given for several.
  static func optionOfOneDevice(_ option: String) -> Self {
    Self(
      .usage, "'\(option)' applies to a single device",
      "for devices that differ, write a stand and run it with 'blemu up'; 'blemu help up' shows one")
  }

  /// After the `@` of a definition comes neither an adapter nor a transport.
  static func badPlace(_ place: String, in word: String) -> Self {
    Self(
      .usage, "'\(place)' in '\(word)' is neither an adapter nor a transport",
      "as in hm-10@hci1, hm-10@exact:hci1 or hm-10@loopback")
  }

  /// Two devices of a command line want the same adapter.
  static func sameAdapter(_ one: String, _ other: String, adapter: String) -> Self {
    Self(
      .usage, "'\(one)' and '\(other)' cannot both have \(adapter)",
      "give each its own adapter, as in hm-10@hci0 bracelet@exact:hci1, or both the same one of exact, as in "
        + "hm-10@exact:hci0 bracelet@exact:hci0")
  }
}

// MARK: Definitions, stands and transcripts

extension CommandError {
  static func unknownDefinition(_ name: String, bundled: [String]) -> Self {
    let known =
      bundled.isEmpty ? "No definitions are bundled." : "'blemu list' lists the bundled definitions."
    let near = Suggestion.nearest(to: name, in: bundled).map { "did you mean '\($0)'?" }
    return Self(
      .noDefinition, "there is no definition '\(name)'",
      "\(near ?? known) Give the path of a file of your own, as in ./\(name).yaml")
  }

  /// A stand is given in place of a definition.
  static func isStand(_ path: String) -> Self {
    Self(.usage, "'\(path)' is a stand, not a definition", "'blemu up \(path)' runs its devices")
  }

  static func noWireSide(definition: String, option: String) -> Self {
    Self(
      .usage, "\(definition) has no wire side for '\(option)'",
      "remove the option, or add 'wire:' to the definition")
  }

  static func unknownSetting(_ name: String, known: [String]) -> Self {
    Self(
      .usage, "the definition has no setting '\(name)'",
      known.isEmpty
        ? "it has no settings"
        : Suggestion.hint(for: name, in: known) ?? "'blemu show' lists the settings of a DEFINITION")
  }

  static func badSetting(_ name: String, problem: String) -> Self {
    Self(.usage, "--set \(name): \(problem)")
  }

  /// Each setting is valid, but the device is not valid with all of them.
  static func badSettings(problem: String) -> Self {
    Self(.badDefinition, problem, "change the setting in --set")
  }

  /// A definition is given in place of a stand.
  static func isDefinition(_ path: String) -> Self {
    Self(.usage, "'\(path)' is a definition, not a stand", "'blemu run \(path)' runs it")
  }

  static let noTranscriptHere = Self(
    .noDefinition, "the current folder has no transcript",
    "give a transcript, a definition, a folder, or the name of a bundled definition, as in blemu test hm-10")
}

// MARK: Files

extension CommandError {
  static func unreadable(_ error: FileError) -> Self {
    Self(error.badText == nil ? .noDefinition : .badDefinition, error.message, error.hint)
  }

  static func unwritable(_ file: UnwritableFile) -> Self {
    Self(
      .cannotCreate, "cannot write '\(file.path)': \(file.reason)",
      "choose a file in a folder that you can write to")
  }

  /// A folder or file that must be new is there already.
  static func alreadyThere(_ path: String) -> Self {
    Self(.cannotCreate, "'\(path)' already exists and is not empty", "choose another name, or remove it")
  }

  /// The name of a new device cannot be that of its folder and files.
  static func badName(_ name: String) -> Self {
    name.utf8.count > Starter.longestName
      ? Self(
        .usage, "'\(name)' is too long for the name of a device",
        "a name has at most \(Starter.longestName) characters")
      : Self(
        .usage, "'\(name)' is not a name for a device",
        "a name consists of letters (A to Z), digits and hyphens, and begins with a letter, as in lamp or my-scale-2"
      )
  }
}
