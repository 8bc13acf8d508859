import CGLib
import Glibc

/// The watched file descriptors, in a kernel list (epoll(7)): the cost of waiting does not depend on their number,
/// while poll(2), and GLib with a source for each, scan all of them each time.
@EventLoop
final class DescriptorList {
  static let shared = DescriptorList()
  /// `EPOLL_CLOEXEC`
  private static let closeOnExec: Int32 = 0x80000
  /// How many descriptors one turn of the loop handles; the others are still ready in the next.
  private static let mostEvents = 32

  /// A watch of a descriptor. One descriptor may have several.
  @EventLoop
  final class Entry: Sendable {
    fileprivate let descriptor: Int32
    fileprivate(set) var interests: EventLoop.Readiness
    /// The interests that the kernel has been told.
    fileprivate var watched: EventLoop.Readiness
    fileprivate let handler: @EventLoop (EventLoop.Readiness) -> Void
    fileprivate var isRemoved = false
    /// The turn in which it was added: events found in that turn belong to an earlier descriptor with this number.
    fileprivate var turn = 0

    init(
      _ descriptor: Int32, _ interests: EventLoop.Readiness,
      _ handler: @escaping @EventLoop (EventLoop.Readiness) -> Void
    ) {
      (self.descriptor, self.interests, self.handler) = (descriptor, interests, handler)
      watched = interests
    }
  }

  /// The list itself, which is readable while one of its descriptors is ready.
  private let list = FileDescriptor(required: epoll_create1(closeOnExec))
  /// By descriptor.
  private var entries: [[Entry]] = []
  /// Those of regular files, which the kernel does not accept in the list; they are always ready.
  private var files: [Entry] = []
  /// Those whose interests have changed since the last wait.
  private var changed: [Entry] = []
  private var events = [epoll_event](repeating: epoll_event(), count: mostEvents)
  private var eventCount = 0
  private var turn = 0

  func add(_ entry: Entry) {
    let index = Int(entry.descriptor)
    while entries.count <= index { entries.append([]) }
    entries[index].append(entry)
    entry.turn = turn
    if control(EPOLL_CTL_ADD, entry.descriptor) { return }
    if errno == EEXIST { _ = control(EPOLL_CTL_MOD, entry.descriptor) } else { files.append(entry) }
  }

  func change(_ entry: Entry, to interests: EventLoop.Readiness) {
    entry.interests = interests
    if interests != entry.watched { changed.append(entry) }
  }

  func remove(_ entry: Entry) {
    guard !entry.isRemoved else { return }
    entry.isRemoved = true
    files.removeAll { $0 === entry }
    let index = Int(entry.descriptor)
    entries[index].removeAll { $0 === entry }
    _ = control(entries[index].isEmpty ? EPOLL_CTL_DEL : EPOLL_CTL_MOD, entry.descriptor)
  }

  /// Tells the kernel the interests that have changed.
  private func updateChanged() {
    guard !changed.isEmpty else { return }
    for entry in changed where entry.watched != entry.interests {
      entry.watched = entry.interests
      if !entry.isRemoved { _ = control(EPOLL_CTL_MOD, entry.descriptor) }
    }
    changed.removeAll(keepingCapacity: true)
  }

  private func control(_ operation: Int32, _ descriptor: Int32) -> Bool {
    var event = epoll_event()
    for entry in entries[Int(descriptor)] { event.events |= entry.watched.rawValue }
    event.data.fd = descriptor
    return epoll_ctl(list.rawValue, operation, descriptor, &event) == 0
  }
}

// MARK: A turn of the loop

extension DescriptorList {
  /// Finds the descriptors that are ready. If it may wait, it returns when there is one.
  ///
  /// The wait also ends when a stopped process continues (signal(7)). This does not count as a look: later events are found
  /// only afterwards, and would seem to have arrived just then.
  func look(mayWait: Bool) {
    updateChanged()
    let limit: Int32 = mayWait && !hasReadyFile ? -1 : 0
    repeat {
      eventCount = Int(epoll_wait(list.rawValue, &events, Int32(Self.mostEvents), limit))
    } while eventCount < 0 && errno == EINTR
    turn += 1
  }

  /// Whether the last look has found something.
  var isReady: Bool { eventCount > 0 || hasReadyFile }

  private var hasReadyFile: Bool {
    !files.isEmpty && files.contains { !$0.watched.isDisjoint(with: .readableOrWritable) }
  }

  /// Calls the handlers of the descriptors that the last ``look(mayWait:)`` found ready.
  func callHandlers() {
    let count = max(0, eventCount)
    eventCount = 0
    for number in 0..<count {
      let event = events[number]
      let readiness = EventLoop.Readiness(rawValue: event.events)
      for entry in entries[Int(event.data.fd)] { call(entry, readiness) }
    }
    if files.isEmpty { return }
    for file in files { call(file, .readableOrWritable) }
  }

  private func call(_ entry: Entry, _ readiness: EventLoop.Readiness) {
    let wanted = readiness.intersection(entry.watched.union(.always))
    if !wanted.isEmpty, !entry.isRemoved, entry.turn < turn { entry.handler(wanted) }
  }
}
