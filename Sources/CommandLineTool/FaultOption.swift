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
      do { faults.append(try FaultReader(definition).read(text)) } catch {
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
