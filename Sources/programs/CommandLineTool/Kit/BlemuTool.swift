import BlemuControl
import BlemuJSON
import BlueZ
import Definitions
import EventLoop
import Exact
import Glibc
import System

/// The program: runs the command of a command line.
package enum BlemuTool {
  /// Runs a command line, whose first word is the program's name, and returns the exit status.
  ///
  /// - Parameter build: the version and commit that `tools/build` has built; nil after another build.
  package static func run(_ commandLine: [String], build: String?) -> Int32 {
    ProgramVersion.setBuild(build)
    Privileges.lower()
    if let status = Guard.run(commandLine, duty(of:)) { return status }
    let status = status(of: commandLine)
    guard let loss = Terminal.lostOutput else { return status.rawValue }
    report(loss)
    return loss.status.rawValue
  }

  /// The duty of a guard with this command line.
  private static func duty(of words: [String]) -> Guard.Duty? {
    GuardedAdapter.duty(of: words) ?? GuardedLinks.duty(of: words)
  }

  private static func status(of commandLine: [String]) -> ExitStatus {
    do {
      return try run(words: commandLine.dropFirst())
    } catch {
      report(error)
      return error.status
    }
  }

  private static func run(words: ArraySlice<String>) throws(CommandError) -> ExitStatus {
    guard let first = words.first else {
      Terminal.printError(Help(for: STDERR_FILENO).overview)
      throw .reported(.usage)
    }
    guard let command = command(first) else { throw CommandSuggestion.error(for: first) }
    let rest = words.dropFirst()
    if asksForHelp(rest, command) {
      Terminal.print(Help(for: STDOUT_FILENO).text(for: command))
      return .success
    }
    let arguments = try Arguments(rest, for: command)
    if !command.needsPrivileges(arguments) { Privileges.drop() }
    if let color = arguments["--color"] { Terminal.use(try ColorChoice(color)) }
    do { return try command.run(arguments) } catch {
      if command.isForRunning, arguments["--json"] != nil { print(error) }
      throw error
    }
  }

  /// Prints an error for programs.
  private static func print(_ error: CommandError) {
    guard let value = error.value else { return }
    Terminal.print((["error": value] as JSONValue).line + "\n")
  }

  private static func command(_ word: String) -> Command? {
    switch word {
    case "-h", "--help": .help
    case "--version": .version
    default: .named(word)
    }
  }

  /// Whether the words ask for help. Words after `--` and words of another program do not count.
  private static func asksForHelp(_ words: ArraySlice<String>, _ command: Command) -> Bool {
    let ends = ["--"] + command.options.filter(\.takesAll).map(\.name)
    return words.prefix { !ends.contains($0) }.contains { $0 == "--help" || $0 == "-h" }
  }

  /// Does a command's work on the event loop; reports why it failed.
  static func runLoop(
    _ work: @escaping @EventLoop @Sendable () async throws(CommandError) -> ExitStatus
  ) -> ExitStatus {
    let status = EventLoop.run {
      do throws(CommandError) {
        return try await work().rawValue
      } catch {
        report(error)
        return error.status.rawValue
      }
    }
    return ExitStatus(rawValue: status) ?? .bug
  }

  /// Writes a file that the command makes.
  static func write(_ text: String, to path: String) throws(CommandError) {
    do { try AtomicFile.write(text, to: path) } catch { throw .unwritable(error) }
  }

  /// Whether a folder for new files can be made, as far as that can be known before.
  static func checkFolder(_ path: String) throws(CommandError) {
    if FileSystem.exists(path), !(FileSystem.isFolder(path) && FileSystem.entries(of: path).isEmpty) {
      throw .alreadyThere(path)
    }
  }

  /// Makes a folder for new files. An empty one may be there already.
  static func makeFolder(_ path: String) throws(CommandError) {
    guard mkdir(path, 0o777) != 0 else { return }
    let code = errno
    guard code == EEXIST else { throw .unwritable(UnwritableFile(path, code)) }
    guard FileSystem.isFolder(path), FileSystem.entries(of: path).isEmpty else { throw .alreadyThere(path) }
  }

  /// - Parameter device: the one of several that it is about.
  static func report(_ error: CommandError, of device: String? = nil) {
    guard let message = error.message else { return }
    if let report = error.report { Terminal.printError(report) }
    let style = Terminal.style(of: STDERR_FILENO)
    let advice = error.hint.map { "  \(style.mark($0, as: .hint))\n" } ?? ""
    let owner = device.map { "\($0): " } ?? ""
    let way =
      error.isWithoutBluetooth ? withoutBluetooth.map { "  \(style.mark($0, as: .hint))\n" } ?? "" : ""
    let pointer = error.isOfMachine ? "  'blemu doctor' examines this machine\n" : ""
    Terminal.printError("\(style.mark("blemu:", as: .error)) \(owner)\(message)\n\(advice)\(way)\(pointer)")
  }

  /// What this process's command can do without Bluetooth.
  private static var withoutBluetooth: String? {
    let command = CommandLine.arguments.dropFirst().first.flatMap { Command.named($0) }
    return MachineTools.ofThisMachine.withoutBluetooth(inMemory: command?.hasDevicesInMemory ?? false)
  }
}
