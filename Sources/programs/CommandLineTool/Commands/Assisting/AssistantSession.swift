import BlemuControl
import BlemuJSON
import Definitions
import EventLoop
import Glibc

/// What lasts as long as an assistant is connected: its devices in memory, and a private folder with the files of its texts.
@EventLoop
final class AssistantSession {
  /// The running program. Its commands are processes of their own.
  private static let program = "/proc/self/exe"

  let pages = AssistantPages(folder: DefinitionLibrary.ofThisProgram().folder)
  private let folder: String
  private var devices: [String: DeviceProcess] = [:]
  /// The names of the devices, including those that only start.
  private var names: Set<String> = []
  private var outputs = 0

  nonisolated init() throws(ProcessFailure) { folder = try Program.makeFolder() }

  /// Ends the devices, and removes the folder.
  func end() async {
    for device in devices.values { try? await device.stop() }
    for file in FileSystem.entries(of: folder) { unlink("\(folder)/\(file)") }
    rmdir(folder)
  }
}

// MARK: Commands

extension AssistantSession {
  /// Saves texts, each in a file with its ending, and returns the paths. The files stay for later calls.
  func save(_ texts: [(ending: String, text: String?)], named name: String) throws(CommandError) -> [String] {
    guard Starter.isName(name) else { throw .badName(name) }
    var paths: [String] = []
    for (ending, text) in texts {
      guard let text else { continue }
      let path = "\(folder)/\(name)\(ending)"
      try BlemuTool.write(text, to: path)
      paths.append(path)
    }
    return paths
  }

  /// Runs a command of this program, and returns what it has printed.
  ///
  /// - Throws: a ``CommandError`` with what it has printed if its exit status is not 0.
  func output(of words: [String]) async throws -> String {
    outputs += 1
    let file = "\(folder)/.output-\(outputs)"
    defer { unlink(file) }
    let succeeded = try await Program.run([Self.program] + words, output: file)
    let text = try TextFile.read(file)
    if !succeeded { throw CommandError(.failed, text) }
    return text
  }
}

// MARK: Devices

extension AssistantSession {
  /// Runs a device in memory.
  ///
  /// - Parameters:
  ///   - options: those of `blemu run`.
  ///   - name: that of the device, if it is among the options.
  func run(_ definition: String, _ options: [String], name: String?) async throws -> String {
    let path = try DefinitionLibrary.ofThisProgram().find(definition)
    let name = name ?? FilePath(path).baseName
    guard names.insert(name).inserted else {
      throw CommandError(.usage, "a device '\(name)' runs already", "stop it, or choose another name")
    }
    do {
      devices[name] = try await DeviceProcess.start(
        DeviceProcess.Command(path, arguments: options, program: Self.program))
    } catch {
      names.remove(name)
      throw error
    }
    return "the device '\(name)' runs in memory"
  }

  /// Asks a device for something.
  func ask(_ name: String, _ method: ControlMethod, _ parameters: JSONValue) async throws -> JSONValue {
    do {
      let device = if let own = devices[name] { own.device } else { try await Device(name) }
      // As for the commands of a shell, expectations begin where the last call has acted.
      _ = try await device.call(.share, [:])
      let wait = parameters["within"]?.wholeNumber ?? parameters["by"]?.wholeNumber ?? 0
      let result = try await device.call(method, parameters, wait: .milliseconds(wait))
      if method == .stop { try await forget(name) }
      return result
    } catch ControlFailure.ended {
      try await forget(name)
      throw ControlFailure.ended
    } catch ControlFailure.noDevice(let name, let others) {
      throw ControlFailure.noDevice(name, running: devices.keys.sorted() + others)
    }
  }

  /// Waits for the end of a device's process, which may say why it has ended.
  private func forget(_ name: String) async throws {
    guard let device = devices.removeValue(forKey: name) else { return }
    names.remove(name)
    try await device.stop()
  }
}
