import ControllerModel
import EventLoop
import Glibc
import Transcripts

/// Runs transcripts between a device and a central on hosts of their own, on controllers in memory, in virtual time:
///
///     virtual-air [--version4] TRANSCRIPT…
///
/// The controllers are of Bluetooth 5.2, or of 4.0 with room for three packets. Prints how long each transcript took in virtual time, and failures as
/// `blemu test` does.
@main
enum VirtualAir {
  static func main() {
    EventLoop.useVirtualTime()
    var paths = Array(CommandLine.arguments.dropFirst())
    let isVersion4 = paths.first == "--version4"
    if isVersion4 { paths.removeFirst() }
    let traits: Playing.Traits = { address in
      var traits = isVersion4 ? ControllerTraits.version4(address) : ControllerTraits(address)
      if isVersion4 { traits.dataPacketCount = 3 }
      return traits
    }
    exit(EventLoop.run { [paths] in await play(paths, on: traits) })
  }

  /// - Returns: the exit status.
  @EventLoop
  private static func play(_ paths: [String], on traits: @escaping Playing.Traits) async -> Int32 {
    var results: [TranscriptResult] = []
    for path in paths {
      do {
        let result = try await Playing(path, traits).run()
        show(result)
        results.append(result)
      } catch {
        print("STOPPED  \(path): \(error)")
        return 2
      }
    }
    print(results.summary)
    return results.failureCount == 0 ? 0 : 1
  }

  private static func show(_ result: TranscriptResult) {
    let count = result.sections.count
    print("\(count - result.failureCount) of \(count)  \(result.name)  \(result.duration.microseconds) us")
    for section in result.sections {
      guard let failure = section.failure else { continue }
      print("\n" + FailureText.write(failure, of: section.title, in: result.name))
    }
  }
}
