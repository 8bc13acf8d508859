import EventLoop
import System

/// Sends entries to the journal of the system. It loses those that the journal does not take at once, and then says how many.
@EventLoop
final class JournalOutput: LogOutput {
  private let journal: SystemJournal
  private let format = JournalFormat()
  private let clock = WallClock()
  private var lost = 0

  init(_ journal: SystemJournal) { self.journal = journal }

  func append(_ entry: Span<UInt8>) {
    reportLost()
    if lost > 0 || !journal.send(entry) { lost += 1 }
  }

  func flush() {}

  func flushPortion() {}

  func drain() { reportLost() }

  private func reportLost() {
    guard lost > 0 else { return }
    var entry = LineBuffer()
    format.write(
      .warning("\(lost) entries are missing here, because the journal was busy", attribute: nil, []),
      at: clock.now, to: &entry)
    var isSent = false
    entry.withBytes { isSent = journal.send($0) }
    if isSent { lost = 0 }
  }
}
