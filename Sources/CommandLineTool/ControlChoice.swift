import BlemuControl
import ControlServer
import EventLoop
import Peripheral

/// Where a device listens for its control side: what `--name`, `--control` and `--no-control` say.
enum ControlChoice {
  /// In the folder of sockets, under the first of `NAME`, `NAME-2`, `NAME-3`, … that is free; it runs without if none can be used.
  case automatic(String)
  case named(String)
  case path(String, name: String)
  case none

  /// - Parameter file: the definition's.
  init(_ arguments: Arguments, file: String) throws(CommandError) {
    let name = arguments["--name"]
    if let name, !ControlFolder.isName(name) { throw .badDeviceName(name) }
    let standard = Self.standardName(for: file)
    if arguments["--no-control"] != nil {
      for option in ["--control", "--name"] where arguments[option] != nil {
        throw .conflictingOptions("--no-control", option)
      }
      self = .none
    } else if let path = arguments["--control"] {
      self = .path(path.contains("/") ? path : "./" + path, name: name ?? standard)
    } else {
      self = name.map { .named($0) } ?? .automatic(standard)
    }
  }

  /// The name of a device that has no other, from the path of its definition.
  static func standardName(for file: String) -> String {
    let stem = file.split(separator: "/").last.map(String.init) ?? file
    return ControlFolder.name(for: stem.hasSuffix(".yaml") ? String(stem.dropLast(5)) : stem)
  }

  var isOn: Bool { if case .none = self { false } else { true } }

  /// Begins to listen; nil: the device runs without a control side, which has been said.
  ///
  /// - Parameter device: makes the device with its name.
  @EventLoop
  func listen(_ device: (_ name: String) -> ControlledDevice) throws(CommandError) -> ControlServer? {
    switch self {
    case .none: return nil
    case .named(let name): return try Self.listen(device(name), at: ControlFolder.socket(of: name))
    case .path(let path, let name): return try Self.listen(device(name), at: path)
    case .automatic(let name):
      for number in 1... {
        let name = number == 1 ? name : "\(name)-\(number)"
        do throws(CommandError) {
          return try Self.listen(device(name), at: ControlFolder.socket(of: name))
        } catch .control(.inUse) {
          continue
        } catch {
          let (message, hint) = error.sentences ?? ("", nil)
          Terminal.printError(
            "blemu: no command can steer this device: \(message)\n" + (hint.map { "  \($0)\n" } ?? ""))
          return nil
        }
      }
      return nil
    }
  }

  @EventLoop
  private static func listen(_ device: ControlledDevice, at path: String) throws(CommandError)
    -> ControlServer
  {
    do { return try ControlServer(of: device, at: path) } catch { throw .control(error) }
  }
}
