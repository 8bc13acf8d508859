import Framing
import HCIPackets

/// The links of a controller, and the controller's buffers, which they share (Core Specification, Vol 4 Part E 4.1.1).
///
/// The links take turns. Each leaves a buffer to every other link, and one to a link that is to come, so that a peer that does not
/// listen stops no others.
struct LinkTable: Hashable {
  private(set) var all: [HostLink] = []
  /// The most bytes of a data packet.
  private let packetSize: Int
  /// How many packets the controller stores.
  private let packetCount: Int
  private var freeBuffers: Int
  /// The index of the link whose turn is next.
  private var turn = 0
  /// When something is due at a link: kept because each packet asks for it.
  private(set) var deadline: Instant?
  /// Whether frames of a link may wait, or its caller may have to learn that they wait no longer.
  private var isBusy = false

  init(packetSize: Int = 27, packetCount: Int = 1) {
    (self.packetSize, self.packetCount) = (max(1, packetSize), max(1, packetCount))
    freeBuffers = self.packetCount
  }

  subscript(handle: LinkHandle) -> HostLink? { index(of: handle).map { all[$0] } }

  /// Whether frames of a link wait because the controller has no room for them.
  func isCongested(_ handle: LinkHandle) -> Bool { index(of: handle).map { all[$0].isCongested } ?? false }

  /// Copies no link, as the array's own search does.
  private func index(of handle: LinkHandle) -> Int? {
    for index in all.indices where all[index].handle == handle { return index }
    return nil
  }

  mutating func begin(_ link: HostLink) {
    _ = end(link.handle)
    all.append(link)
    noteChange()
  }

  /// After a change that may be any.
  private mutating func noteChange() {
    deadline = all.reduce(nil) { $0.earlier($1.deadline) }
    isBusy = true
  }

  /// Its packets are gone from the controller as well (4.3).
  mutating func end(_ handle: LinkHandle) -> HostLink? {
    guard let index = index(of: handle) else { return nil }
    freeBuffers += all[index].buffersInUse
    defer { noteChange() }
    return all.remove(at: index)
  }

  /// Changes a link; nil: there is none with this handle.
  @discardableResult
  mutating func change<Result>(_ handle: LinkHandle, _ body: (inout HostLink) -> Result) -> Result? {
    guard let index = index(of: handle) else { return nil }
    defer { noteChange() }
    return body(&all[index])
  }

  /// Takes a data packet of a link. Returns the frame that it ends; nil: there is no link with this handle.
  mutating func receive(_ part: Span<UInt8>, isContinuation: Bool, on handle: LinkHandle) -> L2CAPFrame?? {
    guard let index = index(of: handle) else { return nil }
    return .some(all[index].incoming.take(part, isContinuation: isContinuation))
  }
}

// MARK: Sending

extension LinkTable {
  /// Sends a frame, or lets it wait for a buffer.
  ///
  /// - Returns: whether too many answers wait.
  mutating func send(
    _ frame: L2CAPFrame, on handle: LinkHandle, at now: Instant, to batch: inout PacketBatch
  ) -> Bool {
    guard let index = index(of: handle), !all[index].isEnding else { return false }
    if goesAtOnce(frame, of: index) {
      batch.append(frame, on: handle)
      used(by: index, at: now)
      return false
    }
    all[index].outgoing.append(frame)
    isBusy = true
    sendParts(at: now, to: &batch)
    all[index].isCongested = !all[index].outgoing.isDrained
    return all[index].outgoing.hasTooManyAnswers
  }

  /// Whether a frame does not have to wait, and is one packet.
  private func goesAtOnce(_ frame: L2CAPFrame, of index: Int) -> Bool {
    all[index].outgoing.isEmpty && mayUseBuffer(index) && frame.payload.count + 4 <= packetSize
  }

  private mutating func used(by index: Int, at now: Instant) {
    if all[index].buffersInUse == 0 { noteProgress(of: index, at: now) }
    all[index].buffersInUse += 1
    freeBuffers -= 1
    turn = index + 1
  }

  /// The controller has sent packets of a link, or dropped them. It may claim more than it got.
  mutating func completed(_ count: Int, on handle: LinkHandle, at now: Instant) {
    guard let index = index(of: handle) else { return }
    let freed = min(count, all[index].buffersInUse)
    if freed > 0 { noteProgress(of: index, at: now) }
    all[index].buffersInUse -= freed
    freeBuffers += freed
  }

  private mutating func noteProgress(of index: Int, at now: Instant) {
    all[index].progress.note(at: now)
    deadline = deadline.earlier(all[index].progress.check)
  }

  /// Fills the controller's buffers. A K-frame of a channel goes when nothing else of its link waits, so that ATT waits for one
  /// K-frame at most.
  mutating func sendParts(at now: Instant, to batch: inout PacketBatch) {
    while isBusy, freeBuffers > 0, let index = nextSender {
      if all[index].outgoing.isEmpty, let frame = all[index].channels.takeFrame() {
        all[index].outgoing.append(frame)
      }
      all[index].outgoing.sendPart(of: all[index].handle, size: packetSize, to: &batch)
      used(by: index, at: now)
    }
  }

  /// Each link may use one buffer, and more if it leaves one to every other link and does not take the last.
  private func mayUseBuffer(_ index: Int) -> Bool {
    let used = all[index].buffersInUse
    return used == 0 ? freeBuffers > 0 : freeBuffers > 1 && used < packetCount - (all.count - 1)
  }

  /// The link that may send next; nil: none has something to send, or may.
  private var nextSender: Int? {
    for offset in 0..<all.count {
      let index = (turn + offset) % all.count
      if hasFrames(index), mayUseBuffer(index) { return index }
    }
    return nil
  }

  private func hasFrames(_ index: Int) -> Bool {
    !all[index].outgoing.isEmpty || !all[index].isEnding && all[index].channels.hasFrame
  }

  /// The links whose frames have waited, and wait no longer.
  mutating func takeDrained() -> [LinkHandle] {
    guard isBusy else { return [] }
    var drained: [LinkHandle] = []
    for index in all.indices where all[index].isCongested && all[index].outgoing.isDrained {
      all[index].isCongested = false
      drained.append(all[index].handle)
    }
    return drained
  }

  /// Likewise, the channels.
  mutating func takeDrainedChannels() -> [(LinkHandle, ChannelIdentifier)] {
    guard isBusy else { return [] }
    var drained: [(LinkHandle, ChannelIdentifier)] = []
    for index in all.indices {
      for channel in all[index].channels.takeDrained() { drained.append((all[index].handle, channel)) }
    }
    isBusy = all.contains { !$0.outgoing.isEmpty || $0.isCongested || !$0.channels.isEmpty }
    return drained
  }
}

extension Instant? {
  /// The earlier of two times, one of which may be none.
  func earlier(_ other: Instant?) -> Instant? {
    guard let self, let other else { return self ?? other }
    return min(self, other)
  }
}
