import Definitions
import DeviceModel
import EventLoop
import Peripheral
import Transcripts

/// `blemu play DEFINITION`
struct PlayCommand {
  private let choice: DefinitionChoice
  private let seed: UInt64
  private let recordingPath: String?

  init(_ arguments: Arguments) throws(CommandError) {
    seed = try SeedOption.parse(arguments["--seed"]) ?? 0
    recordingPath = arguments["--record"]
    choice = try DefinitionChoice(
      arguments.one("DEFINITION", for: .play), assignments: arguments.all("--set"), on: .loopback)
  }

  /// Runs until `quit` or the end of the input.
  func run() throws(CommandError) -> ExitStatus {
    BlemuTool.runLoop { () async throws(CommandError) in
      try await play()
      return .success
    }
  }

  @EventLoop
  private func play() async throws(CommandError) {
    let reader = LineReader(prompt: "\(choice.definition.name)> ")
    let player = Player(
      choice.definition, settings: choice.settings, seed: seed,
      limits: TransportSpecification.limitsInMemory(of: choice.definition))
    if reader.isTerminal { Terminal.print(PlayHelp.greeting) }
    do { show(try await player.start()) } catch let error as TransportError {
      throw .transport(error)
    } catch {
      throw .failure("\(error)")
    }
    while let line = reader.next() {
      switch line.split(separator: " ").first {
      case "quit", "exit": return try await finish(player)
      case "help": Terminal.print(PlayHelp.text(for: choice.definition))
      default: show(await player.take(line))
      }
    }
    try await finish(player)
  }

  @EventLoop
  private func finish(_ player: Player) async throws(CommandError) {
    await player.stop()
    guard let recordingPath, !player.recording.isEmpty else { return }
    try BlemuTool.write(player.recording.text, to: recordingPath)
    Terminal.print("the conversation is in \(recordingPath)\n")
  }

  private func show(_ lines: [String]) {
    for line in lines { Terminal.print(line + "\n") }
  }
}

/// What `help` says in a conversation.
enum PlayHelp {
  static let greeting = "You are the central; 'help' says what you can do, 'quit' ends.\n"

  static func text(for definition: PeripheralDefinition) -> String {
    var text = """
      connect [mtu=185]        disconnect
      subscribe ID             unsubscribe ID
      > ID VALUE               write; >! as a command, >? as a request
      read ID
      ] wire VALUE             put bytes in at the serial side
      +500ms  +5s  +           let time pass; + alone until something happens
      set NAME=VALUE           another setting, and a device as new
      == TITLE                 a device as new, and a new section of the recording
      quit

      VALUE is hex (A5 06), text ("AT\\r\\n"), or a message with its fields (NAME field=5).


      """
    text += "characteristics: \(definition.characteristics.map(\.id).joined(separator: ", "))\n"
    for message in definition.namedMessages {
      let fields = message.fields.map { "\($0.name)=…" }.joined(separator: " ")
      text += "message: \(message.name) \(fields)\n"
    }
    return text
  }
}
