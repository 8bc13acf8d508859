import Glibc

/// A process of `blemu run` from its start to its end. All functions wait for the kernel.
final class BlemuRun: Sendable {
  /// How long blemu may take until it listens, and until it has ended.
  private static let patience = Duration.seconds(60)

  private let folder: String
  private let child: Child
  private let guardian: Guardian

  var socket: String { folder + "/control.sock" }
  var number: Int { Int(child.number) }

  /// Starts blemu, and does not wait for the device.
  init(_ command: DeviceProcess.Command) throws(ProcessFailure) {
    let program = Program.path(command.program)
    folder = try Program.makeFolder()
    let child = Child(
      [program] + command.words(socket: folder + "/control.sock"),
      output: command.log == .none ? "/dev/null" : nil, errors: folder + "/errors")
    guard let child else {
      let reason = String(cString: strerror(errno))
      rmdir(folder)
      throw ProcessFailure(
        message: "cannot run '\(program)': \(reason)\n  put blemu on the PATH (tools/install), or set the "
          + "environment variable BLEMU to its path", output: "")
    }
    self.child = child
    guardian = Guardian(of: child)
  }

  /// Returns when the device is on the air.
  func waitForAir() throws {
    let connection = try connect()
    do throws(ControlFailure) {
      _ = try connection.call(.watch)
      while try connection.nextEvent()["event"] != "on-air" {}
    } catch {
      guard error == .ended else { throw error }
      _ = child.wait(for: Self.patience)
      throw failure("the device did not get on the air")
    }
  }

  /// Connects as soon as the process listens.
  private func connect() throws -> ControlConnection {
    let deadline = ContinuousClock.now + Self.patience
    while true {
      if ControlConnection.isAnswering(at: socket), let connection = try? ControlConnection(to: socket) {
        return connection
      }
      guard child.end == nil else { throw failure("blemu did not start") }
      guard ContinuousClock.now < deadline else {
        throw failure("blemu did not listen within \(Self.patience)")
      }
      usleep(5000)
    }
  }

  /// Takes the device off the air, and returns what went wrong with it: it does not end, or has not ended well.
  func stop() -> ProcessFailure? {
    if ControlConnection.isAnswering(at: socket) {
      // It has ended, or is about to, if this fails.
      _ = try? ControlConnection(to: socket, patience: Int(Self.patience.components.seconds)).call(.stop)
    }
    return switch child.wait(for: Self.patience) {
    case .exited(0): clearUp(nil)
    case nil: clearUp(failure("blemu did not end within \(Self.patience)"))
    default: clearUp(failure("blemu did not end well"))
    }
  }

  /// Lets blemu end, however far it is: it takes the device off the air.
  func interrupt() { child.signal(SIGTERM) }

  /// Ends blemu, however far it is.
  func abandon() {
    interrupt()
    _ = child.wait(for: Self.patience)
    _ = clearUp(nil)
  }

  private func clearUp(_ failure: ProcessFailure?) -> ProcessFailure? {
    guardian.dismiss()
    child.destroy()
    unlink(folder + "/errors")
    unlink(socket)
    rmdir(folder)
    return failure
  }

  private func failure(_ sentence: String) -> ProcessFailure {
    ProcessFailure(message: sentence + (child.end.map { " (\($0))" } ?? ""), output: errors)
  }

  /// What blemu has written to standard error.
  private var errors: String {
    guard let file = fopen(folder + "/errors", "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    var text = String(decoding: bytes[..<count], as: UTF8.self)
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}

/// The program `blemu run` has not started, or has not ended well.
public struct ProcessFailure: Error, Hashable, Sendable {
  /// What happened, and the exit status.
  public var message: String
  /// What blemu has written to standard error.
  public var output: String
}

extension ProcessFailure: CustomStringConvertible {
  public var description: String { output.isEmpty ? message : "\(message):\n\(output)" }
}
