import BlemuControl
import Definitions
import DeviceModel

/// All that may stand at a place of a command line.
struct CompletionChoices {
  typealias Candidate = Completion.Candidate

  private(set) var candidates: [Candidate] = []
  private(set) var takesFiles = false
  private let line: IncompleteLine
  private let library = DefinitionLibrary.ofThisProgram()

  init(_ line: IncompleteLine) {
    self.line = line
    switch line.place {
    case .command:
      add(.commands)
      if line.current.hasPrefix("-") {
        candidates = ["--help", "--version"].map { Candidate(word: $0) }
      }
    case .argument(let command):
      if !line.isPastOptions, line.current.hasPrefix("-") {
        addOptions(of: command)
      } else {
        add(command.words)
      }
    case .value(let option, let prefix):
      add(option.words)
      candidates = candidates.map { Candidate(word: prefix + $0.word, summary: $0.summary) }
    case .nothing: break
    }
  }

  /// The options that are not there yet.
  private mutating func addOptions(of command: Command) {
    for option in command.allOptions where option.isRepeatable || !line.options.contains(option.name) {
      candidates.append(Candidate(word: option.name, summary: option.summary))
    }
  }

  private mutating func add(_ words: Words) {
    switch words {
    case .any, .nothing: break
    case .oneOf(let words): candidates = words.map { Candidate(word: $0) }
    case .files: takesFiles = true
    case .commands: addCommands()
    case .commandsAndPages: addPages()
    case .bundled: addBundled()
    case .devices: addDevices()
    case .faults: addFaults()
    case .definitions, .transcripts:
      addBundled()
      takesFiles = true
    case .placedDefinitions: addPlaced()
    case .standDevices: addStandDevices()
    case .settings: addSettings()
    case .transports(let hasAdapter): addTransports(hasAdapter)
    case .centralAdapters: candidates = Self.adapters + [Self.radio]
    }
  }

  private mutating func addCommands() {
    candidates = Command.all.map { Candidate(word: $0.name, summary: $0.summary) }
  }

  private mutating func addBundled() {
    for group in library.groups {
      let title = ListedSection(group: group.name, entries: []).title
      candidates += group.definitions.map { Candidate(word: $0, summary: title) }
    }
  }
}

// MARK: Pages

extension CompletionChoices {
  /// Commands and pages or, after a page, its sections.
  private mutating func addPages() {
    guard let pages = HelpPages.ofThisProgram else { return addCommands() }
    guard let name = line.positional.first else {
      addBundled()
      let devices = candidates
      addCommands()
      candidates += pages.reference.map { Candidate(word: $0.name, summary: $0.title) } + devices
      return
    }
    guard line.positional.count == 1, let text = try? pages.text(at: HelpAddress([name])) else { return }
    candidates = PageSection.all(of: text.text).dropFirst().map {
      Candidate(word: $0.anchor, summary: $0.title)
    }
  }
}

// MARK: Places and stands

extension CompletionChoices {
  /// Definitions or, after an `@`, the places of one.
  private mutating func addPlaced() {
    guard let at = line.current.lastIndex(of: "@") else {
      addBundled()
      takesFiles = true
      return
    }
    let start = line.current[...at]
    addTransports(true)
    candidates = candidates.map { Candidate(word: start + $0.word, summary: $0.summary) }
  }

  private mutating func addStandDevices() {
    guard let path = line.positional.first else { return takesFiles = true }
    let devices = (try? StandFile(path: path))?.stand?.devices ?? []
    candidates = devices.filter { !line.positional.dropFirst().contains($0.name.text) }.map {
      Candidate(word: $0.name.text, summary: $0.definition.text)
    }
  }
}

// MARK: Running devices

extension CompletionChoices {
  private mutating func addDevices() {
    candidates = ControlConnection.running.map { Candidate(word: $0) }
  }

  /// The name of a device, or the next word of a fault.
  private mutating func addFaults() {
    guard !line.positional.isEmpty else { return addDevices() }
    let words = FaultReader.words(after: Array(line.positional.dropFirst()))
    candidates = words.map { Candidate(word: $0) }
  }
}

// MARK: Settings

extension CompletionChoices {
  /// The names of the settings of the definition on the line or, after a name, the values that it may have.
  private mutating func addSettings() {
    let wanted = line.current.dropFirst(prefix.count)
    for setting in settings {
      guard wanted.hasPrefix(setting.name + "=") else {
        candidates.append(
          Candidate(word: setting.name + "=", summary: "\(setting.kind.valueType), now \(setting.initial)"))
        continue
      }
      candidates += setting.kind.values.map { Candidate(word: "\(setting.name)=\($0)") }
    }
  }

  private var prefix: String { if case .value(_, let prefix) = line.place { prefix } else { "" } }

  private var settings: [SettingDefinition] {
    guard let word = line.positional.first.flatMap({ try? PlacedDefinition($0) }),
      let path = try? library.find(word.definition)
    else { return [] }
    return (try? library.load(path: path, for: NoLimits()))?.definition?.settings ?? []
  }
}

extension SettingDefinition.Kind {
  /// All values, if there are few.
  fileprivate var values: [String] {
    switch self {
    case .boolean: ["true", "false"]
    case .oneOf(let values): values.map(\.description)
    default: []
    }
  }
}

// MARK: Adapters

extension CompletionChoices {
  private mutating func addTransports(_ hasAdapter: Bool) {
    candidates = [
      Candidate(word: "bluez", summary: "served by BlueZ"),
      Candidate(word: "exact", summary: "served by blemu itself"),
      Candidate(word: "loopback", summary: "in memory, without a radio"),
    ]
    if hasAdapter { candidates += Self.adapters + [Self.radio] }
  }

  private static let radio = Candidate(
    word: "exact:tcp:localhost:6402", summary: "a controller over TCP, as of tools/radio")

  private static let adaptersFolder = "/sys/class/bluetooth"

  /// The adapters of this machine. (A link of one has a name such as `hci0:42`.)
  private static var adapters: [Candidate] {
    let names = FileSystem.entries(of: adaptersFolder).filter { $0.hasPrefix("hci") && !$0.contains(":") }
    return ["bluez", "exact"].flatMap { transport in names.map { Candidate(word: "\(transport):\($0)") } }
  }
}
