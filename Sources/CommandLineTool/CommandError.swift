import BlemuControl
import Captures
import Centrals
import ControlServer
import Definitions
import Devices
import EventLoop
import Learning
import Peripheral
import Wire

/// The reason why a command failed. Cases carry facts; ``sentences`` holds the words.
enum CommandError: Error, Hashable {
  case noCommand
  /// - Parameter suggestion: a command line that may be meant.
  case unknownCommand(String, suggestion: String? = nil)
  /// The help has neither a command nor a topic of this name.
  case unknownTopic(String, known: [String])
  /// An option before the command.
  case misplacedOption(String, known: [String])
  case unknownOption(String, command: String, known: [String])
  case missingValue(option: String, placeholder: String)
  case missingOption(String, placeholder: String, with: String)
  case unexpectedValue(option: String)
  case badValue(option: String, value: String, expected: String)
  case missingArgument(String, command: String)
  /// The argument is missing because an option has taken all words after it.
  case takenArgument(String, command: String, by: String, words: [String])
  case unexpectedArgument(String, command: String)
  case badArgument(String, command: String, known: [String])
  case conflictingOptions(String, String)
  /// An option that asks questions, without a terminal.
  case needsTerminal(option: String, otherwise: String)
  case noWireSide(definition: String, option: String)
  case unknownSetting(String, known: [String])
  case badSetting(String, problem: String)
  /// Each setting is valid, but the device is not valid with all of them.
  case badSettings(problem: String)
  case unknownDefinition(String, bundled: [String])
  /// No bundled definition has this word.
  case noMatch(String)
  /// A folder or file that must be new is there already.
  case alreadyThere(String)
  case badName(String)
  case notBundled(String, bundled: [String])
  case unreadable(FileError)
  /// A recording cannot be read.
  case badRecording(CaptureFileError)
  /// Recordings without a device of Bluetooth LE. With the names of the files.
  case noDevice(in: String)
  /// The recordings have several devices, one of which is to be named. With their list.
  case severalDevices([String])
  case unknownCapturedDevice(String, known: [String])
  /// A file that `import` does not understand as a whole.
  case badListing(ListingMistake)
  /// The current folder has no transcript.
  case noTranscriptHere
  /// No section has one of these texts in its title.
  case noSection(titles: [String])
  case noSectionAt(path: String, line: Int)
  /// `--force` is needed to replace a file.
  case fileExists(String)
  /// Lines on the standard input of `play` are wrong; each has been reported.
  case wrongLines(Int)
  /// So many of all expectations on the standard input of `play` were not met; each has been reported.
  case unmetExpectations(Int, of: Int)
  case unwritable(UnwritableFile)
  /// Bonds are to be forgotten that blemu does not keep.
  case bondsOfBluetoothd
  /// The name of a recording that is to be written has another extension.
  case unknownRecordingFormat(path: String)
  /// The mistakes have already been printed.
  case badDefinition
  /// Standard output did not take what was printed.
  case lostOutput(reason: String)
  /// What is wrong has already been printed.
  case reported(ExitStatus)
  case run(DeviceFailure)
  /// A device nearby cannot be asked.
  case survey(SurveyFailure)
  /// `set` has an argument that is no `NAME=VALUE`.
  case notAssignment(String, command: String)
  /// `set` has two values for a name.
  case givenTwice(String)
  case badDeviceName(String)
  /// After the `@` of a definition comes neither an adapter nor a transport.
  case badPlace(String, in: String)
  /// An option that says something of one device stands beside several.
  case optionOfOneDevice(String)
  /// Two devices of a command line want the same adapter.
  case sameAdapter(String, String, adapter: String)
  /// A relay is to reach its device through the adapter on which it is itself.
  case sameRelayAdapter(String)
  case notConnectable(String)
  /// A stand is given in place of a definition.
  case isStand(String)
  /// A definition is given in place of a stand.
  case isDefinition(String)
  /// A transcript or a face is given in place of a definition.
  case isTranscript(String)
  case isFace(String)
  /// - Parameter stands: those in the folder, one of which is to be named; none or several.
  case notOneStand(folder: String, stands: [String])
  case unknownStandDevice(String, known: [String])
  case device(ControlFailure, name: String)
  /// The program for `web` is not in the folder of this one.
  case noWebProgram(folder: String)
  /// It does not start. With what it, or the loader, has said.
  case brokenWebProgram(String, output: String)
  /// It is of another version. With what it says of itself.
  case otherWebProgram(String, answer: String)
  case failure(String)
}

extension CommandError {
  var status: ExitStatus {
    switch self {
    case .noCommand, .unknownCommand, .unknownTopic, .misplacedOption, .unknownOption, .missingValue,
      .missingOption,
      .unexpectedValue,
      .badValue,
      .missingArgument, .takenArgument, .unexpectedArgument, .conflictingOptions, .needsTerminal, .noWireSide,
      .unknownSetting, .badSetting, .badName, .badArgument, .bondsOfBluetoothd, .unknownRecordingFormat,
      .notAssignment,
      .givenTwice, .badDeviceName, .badPlace, .optionOfOneDevice, .sameAdapter, .sameRelayAdapter, .isStand,
      .isDefinition,
      .isTranscript, .isFace,
      .unknownStandDevice, .severalDevices, .unknownCapturedDevice:
      .usage
    case .badRecording(let error): error.reason == .missing ? .noDefinition : .badDefinition
    case .noDevice: .badDefinition
    case .unreadable(let error): error.badText == nil ? .noDefinition : .badDefinition
    case .unknownDefinition, .notBundled, .noMatch, .notOneStand, .noTranscriptHere, .noSection, .noSectionAt:
      .noDefinition
    case .badDefinition, .badSettings, .wrongLines, .badListing: .badDefinition
    case .run(let failure): failure.status
    case .survey(let failure): failure.status
    case .notConnectable: .unavailable
    case .unwritable, .alreadyThere, .fileExists: .cannotCreate
    case .device(let failure, _): failure.status
    case .noWebProgram, .brokenWebProgram, .otherWebProgram: .unavailable
    case .unmetExpectations: .failed
    case .lostOutput: .lostOutput
    case .reported(let status): status
    case .failure: .bug
    }
  }

  /// What happened and what to do next; nil if that has already been printed.
  var sentences: (message: String, hint: String?)? {
    switch self {
    case .noCommand: nil  // the help has been printed
    case .unknownCommand(let name, let suggestion):
      (
        "unknown command '\(name)'",
        suggestion.map { "did you mean '\($0)'?" } ?? "'blemu help' lists the commands"
      )
    case .unknownTopic(let name, let known):
      (
        "there is no command or topic '\(name)'",
        Suggestion.nearest(to: name, in: known).map { "did you mean 'blemu help \($0)'?" }
          ?? "'blemu help' lists them"
      )
    case .misplacedOption(let option, let known):
      (
        "'\(option)' is not a command",
        known.contains(option)
          ? "options follow the command: blemu COMMAND \(option)"
          : Suggestion.nearest(to: option, in: known).map { "did you mean '\($0)'?" }
            ?? "'blemu help' lists the commands"
      )
    case .unknownOption(let option, let command, let known):
      ("'\(command)' has no option '\(option)'", Suggestion.hint(for: option, in: known))
    case .missingValue(let option, let placeholder): ("'\(option)' needs a value", "\(option) \(placeholder)")
    case .missingOption(let option, let placeholder, let other):
      ("'\(other)' also needs '\(option)'", "\(option) \(placeholder)")
    case .needsTerminal(let option, let otherwise):
      ("'\(option)' asks questions, and standard input is not a terminal", otherwise)
    case .unexpectedValue(let option): ("'\(option)' takes no value", nil)
    case .badValue(let option, let value, let expected):
      ("'\(value)' is not a value of '\(option)'", expected)
    case .missingArgument(let name, let command):
      (
        "'\(command)' needs a \(name)",
        "'blemu help \(command)' explains the command, \(Self.source(of: name, for: command))"
      )
    case .takenArgument(let name, let command, let option, let words):
      (
        "'\(command)' needs a \(name), but '\(option)' took all words after it: '\(words.joined(separator: " "))'",
        "put the \(name) before '\(option)', or put '--' between the program's last word and the \(name)"
      )
    case .unexpectedArgument(let text, let command):
      ("'\(command)' takes no argument '\(text)'", "'blemu help \(command)' shows its arguments")
    case .badArgument(let text, let command, let known):
      ("'\(command)' does not know '\(text)'", Suggestion.hint(for: text, in: known))
    case .conflictingOptions(let one, let other):
      ("'\(one)' and '\(other)' cannot be used together", "remove one of them")
    case .noWireSide(let definition, let option):
      (
        "\(definition) has no wire side for '\(option)'",
        "remove the option, or add 'wire:' to the definition"
      )
    case .unknownSetting(let name, let known):
      (
        "the definition has no setting '\(name)'",
        known.isEmpty
          ? "it has no settings"
          : Suggestion.hint(for: name, in: known) ?? "'blemu show' lists the settings of a DEFINITION"
      )
    case .badSetting(let name, let problem): ("--set \(name): \(problem)", nil)
    case .badSettings(let problem): (problem, "change the setting in --set")
    case .unknownDefinition(let name, let bundled):
      ("there is no definition '\(name)'", Self.hint(forDefinition: name, bundled))
    case .noMatch(let word):
      ("no bundled device has '\(word)' in its name, summary or group", "'blemu list' lists all of them")
    case .badListing(let mistake): ("\(mistake.file): \(mistake.reason)", mistake.hint)
    case .alreadyThere(let path):
      ("'\(path)' already exists and is not empty", "choose another name, or remove it")
    case .badName(let name) where name.utf8.count > Starter.longestName:
      (
        "'\(name)' is too long for the name of a device",
        "a name has at most \(Starter.longestName) characters"
      )
    case .badName(let name):
      (
        "'\(name)' is not a name for a device",
        "a name consists of letters (A to Z), digits and hyphens, and begins with a letter, as in lamp or my-scale-2"
      )
    case .notBundled(let name, let bundled):
      (
        "there is no bundled definition '\(name)'",
        Suggestion.nearest(to: name, in: bundled).map { "did you mean '\($0)'?" }
          ?? "'blemu list' lists the bundled definitions"
      )
    case .unreadable(let error): (error.message, error.hint)
    case .badRecording(let error): (error.description, nil)
    case .noDevice(let files):
      (
        "\(files) has no Bluetooth LE device: nobody advertises, and there is no link",
        "record while the app connects to the device; 'blemu help learn' names the formats"
      )
    case .severalDevices(let lines):
      (
        "the recording has \(lines.count) devices:\n" + lines.joined(separator: "\n"),
        "choose one with --device ADDRESS or --device NUMBER"
      )
    case .unknownCapturedDevice(let word, let lines):
      ("the recording has no device '\(word)'", "it has:\n" + lines.joined(separator: "\n"))
    case .noTranscriptHere:
      (
        "the current folder has no transcript",
        "give a transcript, a definition, a folder, or the name of a bundled definition, as in blemu test hm-10"
      )
    case .noSection(let titles):
      (
        "no section's title contains \(titles.map { "'\($0)'" }.joined(separator: " or "))",
        "the titles are the lines that begin with '=='"
      )
    case .noSectionAt(let path, let line):
      ("'\(path)' has no section at line \(line)", "a section begins with a line '== TITLE'")
    case .unmetExpectations(let count, let all):
      (
        "\(count) of \(all) \(all == 1 ? "expectation was" : "expectations were") not met",
        "the lines with 'not met' say why"
      )
    case .wrongLines(let count):
      ("\(count) \(count == 1 ? "line was" : "lines were") not understood", "see the messages above")
    case .fileExists(let path):
      ("'\(path)' exists", "choose another file, or replace it with --force")
    case .unwritable(let file):
      ("cannot write '\(file.path)': \(file.reason)", "choose a file in a folder that you can write to")
    case .bondsOfBluetoothd:
      (
        "'--forget-bonds' needs '--on exact': with bluez, bluetoothd keeps the bonds",
        "'bluetoothctl remove ADDRESS' forgets one"
      )
    case .unknownRecordingFormat(let path):
      (
        "cannot record in '\(path)': blemu writes pcapng and btsnoop",
        "end the name with .pcapng or .btsnoop (.log is btsnoop, too)"
      )
    case .badDefinition, .reported: nil
    case .lostOutput(let reason): ("cannot write to standard output: \(reason)", nil)
    case .run(let failure): failure.sentences
    case .survey(let failure): failure.sentences
    case .notAssignment(let word, let command):
      ("'\(word)' is not NAME=VALUE", "as in blemu \(command) NAME level=3")
    case .givenTwice(let name): ("'\(name)' is given twice", "remove one of them")
    case .badDeviceName(let name) where name.utf8.count > ControlFolder.longestName:
      (
        "'\(name)' is too long for the name of a device",
        "a name has at most \(ControlFolder.longestName) characters"
      )
    case .badDeviceName(let name):
      (
        "'\(name)' is not a name for a device",
        "a name has letters (A to Z), digits, '-', '_' and '.', and begins with a letter or a digit"
      )
    case .badPlace(let place, let word):
      (
        "'\(place)' in '\(word)' is neither an adapter nor a transport",
        "as in hm-10@hci1, hm-10@exact:hci1 or hm-10@loopback"
      )
    case .optionOfOneDevice(let option):
      (
        "'\(option)' applies to a single device",
        "for devices that differ, write a stand and run it with 'blemu up'; 'blemu help up' shows one"
      )
    case .sameAdapter(let one, let other, let adapter):
      (
        "'\(one)' and '\(other)' cannot both have \(adapter)",
        "give each its own adapter, as in hm-10@hci0 bracelet@exact:hci1, or both the same one of exact, as in "
          + "hm-10@exact:hci0 bracelet@exact:hci0"
      )
    case .sameRelayAdapter(let adapter):
      (
        "'--on' and '--through' cannot both have \(adapter)",
        "a relay needs two adapters, one for the app and one for the device, as in --on exact:hci1 --through exact:hci0"
      )
    case .notConnectable(let address):
      (
        "\(address) advertises as not connectable, so there is nothing to relay",
        "'blemu clone' makes a definition of its advertisement"
      )
    case .isStand(let path):
      ("'\(path)' is a stand, not a definition", "'blemu up \(path)' runs its devices")
    case .isDefinition(let path):
      ("'\(path)' is a definition, not a stand", "'blemu run \(path)' runs it")
    case .isTranscript(let path):
      (
        "'\(path)' is a transcript, not a definition",
        "'blemu test \(path)' runs it, 'blemu play DEFINITION < \(path)' shows what the device does"
      )
    case .isFace(let path):
      (
        "'\(path)' is a drawing, not a definition",
        "'blemu check' checks a face with the definition beside it"
      )
    case .notOneStand(let folder, []):
      (
        "there is no stand in the folder '\(folder)'",
        "a stand is a .yaml file that begins with 'stand:'; 'blemu help up' shows one"
      )
    case .notOneStand(let folder, let stands):
      ("the folder '\(folder)' has several stands", "give one of them: \(stands.joined(separator: ", "))")
    case .unknownStandDevice(let name, let known):
      ("the stand has no device '\(name)'", Suggestion.hint(for: name, in: known))
    case .device(let failure, let name): failure.sentences(of: name)
    case .noWebProgram(let folder):
      (
        "there is no blemu-web in '\(folder)'",
        "it serves the page; install the Debian package blemu-web and type '/usr/bin/blemu web', or use tools/install in the repository"
      )
    case .brokenWebProgram(let path, let output):
      (
        "'\(path)' does not start: \(output)",
        output.contains("libsoup")
          ? "libsoup is missing; 'apt-get install libsoup-3.0-0' installs it"
          : "in the repository, tools/install installs it again"
      )
    case .otherWebProgram(let path, let answer):
      (
        "'\(path)' does not belong to \(ProgramVersion.line(of: "blemu")): it says '\(answer)'",
        "in the repository, tools/install installs both"
      )
    case .failure(let message): ("\(message)", "this is a bug in blemu")
    }
  }

  private static func hint(forDefinition name: String, _ bundled: [String]) -> String {
    let nearest = Suggestion.nearest(to: name, in: bundled).map { "did you mean '\($0)'?" }
    let known =
      nearest
      ?? (bundled.isEmpty ? "No definitions are bundled." : "'blemu list' lists the bundled definitions.")
    return "\(known) Give the path of a file of your own, as in ./\(name).yaml"
  }
}

extension TransportError.Kind {
  var status: ExitStatus {
    switch self {
    case .unavailable: .unavailable
    case .noPermission: .noPermission
    case .invalid: .badDefinition
    }
  }
}

extension CommandError {
  /// Where a person finds what an argument may be.
  private static func source(of argument: String, for command: String) -> String {
    if Command.named(command)?.isForRunning == true { return "'blemu ps' lists the running devices" }
    return switch argument {
    case "STAND": "and shows a stand"
    case "DEVICE": "'blemu scan' shows which devices advertise"
    default: "'blemu list' lists the bundled definitions"
    }
  }
}
