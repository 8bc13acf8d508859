import BlemuControl
import EventLoop
import BlemuJSON

/// A program's watch of the journal.
struct JournalWatch {
  enum Format: String {
    case json, text
  }

  let format: Format
  /// The number of the last event that it has been sent.
  var last: Int
}

/// Sends events to all programs that watch, when the loop has nothing else to do.
///
/// A program that reads slowly gets events later: they wait in the journal. One that is still behind when the journal forgets
/// them is disconnected, so that no other has to wait, and nobody gets a journal with a hole.
@EventLoop
final class JournalBroadcast {
  /// How many events may wait for the loop to be idle; each further one sends the oldest few.
  private static let (limit, batch) = (1024, 4)

  private let journal: Journal
  private let text: JournalText
  private var sessions: [ControlSession] = []
  private var idle: EventLoop.IdleCallback?
  private let onDrop: (_ behind: Int) -> Void

  /// - Parameter onDrop: called when a program has been disconnected that had not read so many events.
  init(_ journal: Journal, _ text: JournalText, onDrop: @escaping (Int) -> Void) {
    (self.journal, self.text, self.onDrop) = (journal, text, onDrop)
    idle = EventLoop.IdleCallback { [weak self] in self?.sendSlice() }
  }

  func add(_ session: ControlSession) {
    if !sessions.contains(where: { $0 === session }) { sessions.append(session) }
    session.onProgress = { [weak self] in self?.idle?.schedule() }
    idle?.schedule()
  }

  func remove(_ session: ControlSession) {
    session.watch = nil
    session.onProgress = nil
    sessions.removeAll { $0 === session }
  }

  /// Called after each event of the journal.
  func eventCame() {
    guard !sessions.isEmpty else { return }
    idle?.schedule()
    guard let next, journal.last - next >= Self.limit else { return }
    dropSlow()
    for _ in 0..<Self.batch { sendNext() }
  }

  private func sendSlice() {
    dropSlow()
    let slice = EventLoop.Slice()
    while sendNext() {
      if slice.isOver {
        idle?.schedule()
        break
      }
    }
  }

  /// The number of the oldest event that a program with room for it has not got; nil: all have all.
  private var next: Int? {
    sessions.compactMap { session in
      guard let last = session.watch?.last, last < journal.last, session.unread < ControlSession.mostAhead
      else {
        return nil
      }
      return last + 1
    }.min()
  }

  /// Sends one event to all programs that come to it; returns whether there was one.
  @discardableResult
  private func sendNext() -> Bool {
    guard let next, let entry = journal.entries(after: next - 1, most: 1).first else { return false }
    var lines: [JournalWatch.Format: String] = [:]
    for session in sessions {
      guard let watch = session.watch, watch.last == next - 1, session.unread < ControlSession.mostAhead
      else {
        continue
      }
      let line = lines[watch.format] ?? notification(entry, watch.format)
      lines[watch.format] = line
      session.watch?.last = entry.number
      session.send(line: line)
    }
    return true
  }

  /// Disconnects the programs whose next event the journal has forgotten.
  private func dropSlow() {
    for session in sessions where (session.watch?.last ?? .max) < journal.first - 1 {
      let behind = journal.last - (session.watch?.last ?? 0)
      session.end()
      onDrop(behind)
    }
  }

  private func notification(_ entry: Journal.Entry, _ format: JournalWatch.Format) -> String {
    let parameters =
      switch format {
      case .json: text.object(entry)
      case .text:
        (["number": .integer(entry.number), "lines": .string(text.lines(entry))] as JSONValue).line
      }
    return "{\"jsonrpc\":\"2.0\",\"method\":\"event\",\"params\":\(parameters)}"
  }
}
