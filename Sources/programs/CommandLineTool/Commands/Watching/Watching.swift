import EventLoop

/// `--watch`: runs a command again each time that one of its files has changed, until Ctrl-C.
enum Watching {
  /// How often the files are looked at, and how long they must stay the same: editors write in several steps.
  private static let interval = Duration.milliseconds(200)

  /// - Parameter run: runs the command once, and adds the files that it reads to the record.
  static func run(
    _ arguments: Arguments, _ run: (FileRecord) throws(CommandError) -> ExitStatus
  ) throws(CommandError) -> ExitStatus {
    var record = FileRecord()
    guard arguments["--watch"] != nil else { return try run(record) }
    while true {
      do throws(CommandError) {
        if try run(record) == .interrupted { return .interrupted }
      } catch {
        if record.isEmpty { throw error }
        BlemuTool.report(error)
      }
      guard let changes = changes(of: record) else { return .interrupted }
      Terminal.print("\nchanged: \(changes.joined(separator: ", "))\n\n")
      record = FileRecord()
    }
  }

  /// Waits until files have changed; nil: until Ctrl-C.
  private static func changes(of record: FileRecord) -> [String]? {
    Terminal.print("watching for changes; Ctrl-C ends\n")
    let status = EventLoop.run {
      let stop = StopRequest()
      var last: [String] = []
      while !stop.isMade {
        await EventLoop.pause(interval)
        let changes = record.changes
        if !changes.isEmpty, changes == last { return ExitStatus.success.rawValue }
        last = changes
      }
      return ExitStatus.interrupted.rawValue
    }
    return status == ExitStatus.success.rawValue ? record.changes : nil
  }
}
