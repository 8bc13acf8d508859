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
/// After it has sent some it waits a little, and sends what has come meanwhile at once: a system call for each event and each
/// program would be most of the work of a busy device.
///
/// A program that reads slowly gets events later: they wait in the journal. One that is still behind when the journal forgets
/// them is disconnected, so that no other program has to wait or gets a journal with a gap.
@EventLoop
final class JournalBroadcast {
  /// How long events are gathered.
  private static let pause = Duration.milliseconds(20)
  /// The most events that are sent at once.
  private static let most = 64
  /// How many events may wait for the loop to be idle.
  private static let limit = 1024

  private let journal: Journal
  private let text: JournalText
  private var sessions: [ControlSession] = []
  private var idle: EventLoop.IdleCallback?
  private var timer: EventLoop.Timer?
  /// Whether the pause is not over.
  private var isPausing = false
  /// How many events have come that are not sent, as far as programs read.
  private var waiting = 0
  private let onDrop: (_ behind: Int) -> Void

  /// - Parameter onDrop: called when a program has been disconnected that had not read so many events.
  init(_ journal: Journal, _ text: JournalText, onDrop: @escaping (Int) -> Void) {
    (self.journal, self.text, self.onDrop) = (journal, text, onDrop)
    idle = EventLoop.IdleCallback { [weak self] in self?.sendSlice() }
    timer = EventLoop.Timer { [weak self] in self?.pauseEnded() }
  }

  func add(_ session: ControlSession) {
    if !sessions.contains(where: { $0 === session }) { sessions.append(session) }
    session.onProgress = { [weak self] in self?.idle?.schedule() }
    // A busy device forgets the first events of a full journal before it is idle.
    let slice = EventLoop.Slice()
    while sendNext(), !slice.isOver {}
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
    waiting += 1
    if !isPausing { idle?.schedule() }
    guard waiting >= Self.limit else { return }
    dropSlow()
    waiting -= Self.most
    sendNext()
  }

  private func pauseEnded() {
    isPausing = false
    if waiting > 0 { idle?.schedule() }
  }

  private func sendSlice() {
    dropSlow()
    let slice = EventLoop.Slice()
    while sendNext() {
      guard !slice.isOver else {
        idle?.schedule()
        return
      }
    }
    waiting = 0
    isPausing = true
    timer?.fire(after: Self.pause)
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

  /// Sends the oldest events that wait to all programs that come to them; returns whether there were any.
  @discardableResult
  private func sendNext() -> Bool {
    guard let next else { return false }
    let entries = journal.entries(after: next - 1, most: Self.most)
    guard let last = entries.last?.number else { return false }
    var texts: [JournalWatch.Format: String] = [:]
    for session in sessions {
      guard let watch = session.watch, watch.last == next - 1, session.unread < ControlSession.mostAhead
      else {
        continue
      }
      let text = texts[watch.format] ?? lines(of: entries, watch.format)
      texts[watch.format] = text
      session.watch?.last = last
      session.send(lines: text)
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

  /// A notification for each event, each on a line.
  private func lines(of entries: ArraySlice<Journal.Entry>, _ format: JournalWatch.Format) -> String {
    var text = ""
    for entry in entries {
      text += "{\"jsonrpc\":\"2.0\",\"method\":\"event\",\"params\":"
      text += parameters(of: entry, format)
      text += "}\n"
    }
    return text
  }

  private func parameters(of entry: Journal.Entry, _ format: JournalWatch.Format) -> String {
    switch format {
    case .json: text.object(entry)
    case .text: (["number": .integer(entry.number), "lines": .string(text.lines(entry))] as JSONValue).line
    }
  }
}
