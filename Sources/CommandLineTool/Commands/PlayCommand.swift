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
    Terminal.print("saved the conversation to \(recordingPath)\n")
  }

  private func show(_ lines: [String]) {
    for line in lines { Terminal.print(line + "\n") }
  }
}

/// The help texts of the prompt.
enum PlayHelp {
  static let greeting = "You are the central. Type 'help' for the commands, 'quit' to end.\n"

  static func text(for definition: PeripheralDefinition) -> String {
    var text = """
      connect [mtu=185]        disconnect [reason=NAME]
      connect raw              connect, and speak ATT PDUs:
      >> 0A 03 00              send a PDU
      pair [passkey=DIGITS]    bond (pair, and keep the keys)
      subscribe ID             unsubscribe ID
      > ID VALUE               write (>! as a write command, >? as a write request)
      read ID
      ] wire VALUE             send bytes into the wire side
      +500ms  +5s  +           let time pass (+ alone: until the next output)
      set NAME=VALUE           change a setting and reset the device
      == TITLE                 reset the device and begin a new section of the recording
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
