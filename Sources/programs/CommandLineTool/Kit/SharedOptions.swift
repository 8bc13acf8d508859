import Captures
import Definitions
import DeviceModel
import Glibc

/// `--fault 'FAULT'`
enum FaultOption {
  /// Reads the texts, and prints each mistake.
  static func faults(
    _ texts: [String], of definition: PeripheralDefinition
  ) throws(CommandError) -> [Fault] {
    var faults: [Fault] = []
    var isWrong = false
    for text in texts {
      let reader = FaultReader(definition)
      do {
        let fault = try reader.read(text)
        faults.append(fault)
        if let warning = reader.warning(about: fault, text) { report(warning, in: text) }
      } catch {
        report(error, in: text)
        isWrong = true
      }
    }
    if isWrong { throw .reported(.usage) }
    return faults
  }

  private static func report(_ mistake: Diagnostic, in text: String) {
    let source = SourceText(name: "--fault", text: text)
    let renderer = DiagnosticRenderer([source], Terminal.style(of: STDERR_FILENO))
    Terminal.printError(renderer.render([mistake]))
  }
}

/// `--seed NUMBER`
enum SeedOption {
  static func parse(_ text: String?) throws(CommandError) -> UInt64? {
    guard let text else { return nil }
    guard let seed = UInt64(text) else {
      throw .badValue(option: "--seed", value: text, expected: "a whole number, 0 or greater")
    }
    return seed
  }
}

/// The value of `--capture`: a new file, in the format of its extension.
enum CaptureOption {
  static func parse(_ path: String?) throws(CommandError) -> (path: String, format: WrittenFormat)? {
    guard let path else { return nil }
    guard let format = WrittenFormat(path: path) else {
      throw CommandError(
        .usage, "cannot record in '\(path)': blemu writes pcapng and btsnoop",
        "end the name with .pcapng or .btsnoop (.log is btsnoop, too)")
    }
    return (path, format)
  }
}
