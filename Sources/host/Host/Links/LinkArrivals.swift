import Framing
import HCIPackets

/// Links that cannot begin yet, and what comes before links.
///
/// A controller with advertising sets says in an event of its own by which set a peer has connected, after the link or before it.
/// And data takes another way than events on USB, so that it may arrive before its link.
struct LinkArrivals: Hashable {
  private struct Unclaimed: Hashable {
    var link: EstablishedLink
    /// When it begins without a set.
    var end: Instant
  }

  private struct Early: Hashable {
    var handle: LinkHandle
    var packet: [UInt8]
    /// When it can only be the rest of an earlier link.
    var end: Instant
  }

  /// How long a controller may take to name the set.
  private static let patience = Duration.milliseconds(500)
  /// How long data may come before its link begins.
  private static let dataPatience = Duration.seconds(1)
  /// The most packets that are kept, and the most endings of sets.
  private static let capacity = 32

  private var unclaimed: [Unclaimed] = []
  private var endedSets: [LinkHandle: UInt8] = [:]
  private var early: [Early] = []

  /// When a link is overdue.
  var deadline: Instant? { unclaimed.first?.end }

  /// A link has arrived that waits for its set.
  ///
  /// - Returns: the set, if it has ended before.
  mutating func arrived(_ link: EstablishedLink, at now: Instant) -> UInt8? {
    if let set = endedSets.removeValue(forKey: link.handle) { return set }
    dropUnclaimed(link.handle)
    unclaimed.append(Unclaimed(link: link, end: now.advanced(by: Self.patience)))
    return nil
  }

  /// Another link has the handle of one that waits for its set, which has ended then.
  mutating func dropUnclaimed(_ handle: LinkHandle) { unclaimed.removeAll { $0.link.handle == handle } }

  /// A set has ended because of a link.
  ///
  /// - Returns: the link, if it has arrived.
  mutating func ended(_ set: UInt8, for handle: LinkHandle) -> EstablishedLink? {
    guard let index = unclaimed.firstIndex(where: { $0.link.handle == handle }) else {
      if endedSets.count < Self.capacity { endedSets[handle] = set }
      return nil
    }
    return unclaimed.remove(at: index).link
  }

  mutating func takeOverdue(at now: Instant) -> [EstablishedLink] {
    let overdue = unclaimed.prefix { $0.end <= now }.map(\.link)
    unclaimed.removeFirst(overdue.count)
    return overdue
  }

  /// Keeps data of a link that has not begun.
  mutating func keep(_ packet: Span<UInt8>, _ handle: LinkHandle, at now: Instant) {
    early.removeAll { $0.end <= now }
    guard early.count < Self.capacity else { return }
    let packet = packet.withUnsafeBufferPointer { Array($0) }
    early.append(Early(handle: handle, packet: packet, end: now.advanced(by: Self.dataPatience)))
  }

  /// Takes the data of a link that begins.
  mutating func takeData(of handle: LinkHandle, at now: Instant) -> [[UInt8]] {
    guard !early.isEmpty else { return [] }
    defer { early.removeAll { $0.handle == handle } }
    return early.filter { $0.handle == handle && $0.end > now }.map(\.packet)
  }

  /// A link has ended; another may get its handle.
  mutating func forget(_ handle: LinkHandle) {
    dropUnclaimed(handle)
    early.removeAll { $0.handle == handle }
    endedSets[handle] = nil
  }
}
