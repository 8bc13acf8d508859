import Definitions
import EventLoop
import Glibc

extension Command {
  static let new = Command(
    "new", .writing, arguments: "NAME", words: .files,
    summary: "Creates a folder with a small definition, a transcript, a face and a README.",
    options: [
      Option(
        "--from", takes: "NAME", "extends a bundled definition", words: .bundled)
    ],
    notes: [
      "NAME is the new folder, which may be in another folder: devices/lamp. The last part of NAME becomes the name of the files. "
        + "blemu overwrites nothing."
    ],
    examples: [
      Example("blemu new lamp", "creates lamp/lamp.yaml, lamp/lamp.transcript and other files"),
      Example("blemu new my-module --from hm-10", "creates a definition that extends the HM-10"),
    ]
  ) { arguments throws(CommandError) in
    try NewCommand(arguments).run()
  }
}

/// `blemu new NAME`
struct NewCommand {
  private let folder: String
  private let starter: Starter

  init(_ arguments: Arguments) throws(CommandError) {
    let text = try arguments.one("NAME")
    folder = String(text.reversed().drop { $0 == "/" }.reversed())
    let name = FilePath(folder).name
    guard Starter.isName(name) else { throw .badName(name) }
    let base = try arguments["--from"].map { base throws(CommandError) in try StarterBase(base) }
    starter = Starter(name: name, base: base)
  }

  /// Makes the folder and its files, and prints what to do next.
  func run() throws(CommandError) -> ExitStatus {
    try BlemuTool.makeFolder(folder)
    for (name, text) in starter.files { try BlemuTool.write(text, to: "\(folder)/\(name)") }
    let place = ShellText.quoted(folder)
    let files = starter.files.map { "\(folder)/\($0.name)" }.joined(separator: ", ")
    Terminal.print("made \(files); next:\n\n")
    for command in [Command.check, .test, .run] { Terminal.print("  blemu \(command.name) \(place)\n") }
    return .success
  }
}
