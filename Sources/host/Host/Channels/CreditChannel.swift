import Bluetooth
import Framing

/// One LE credit-based channel (Core Specification, Vol 3 Part A 3.4 and 10.1).
struct CreditChannel: Hashable {
  enum Phase: Hashable {
    /// This side has asked for it, and waits for the response to the request until the end.
    case requested(identifier: UInt8, end: Instant)
    case open
    /// This side has closed it, and waits for the response until the end.
    case closing(end: Instant)
  }

  /// The most credits that a side may have (4.24).
  static let mostCredits = 65_535

  let spsm: UInt16
  let local: ChannelIdentifier
  /// How the peer names it; 0 until the peer has answered.
  var remote: ChannelIdentifier = 0
  var phase: Phase

  /// What this side takes.
  let terms: ChannelTerms
  /// How many K-frames the peer may send.
  private var granted: Int
  /// The SDU whose end has not come; nil: none has begun.
  private var unfinished: [UInt8]?
  private var expected = 0

  /// What the peer takes.
  private(set) var mtu = 0
  private var mps = 0
  /// How many K-frames this side may send.
  private var credits = 0
  private var waiting: ArraySlice<[UInt8]> = []
  /// How many bytes of the first waiting SDU have gone.
  private var sent = 0
  /// Whether SDUs have waited since the caller was last told otherwise.
  var isCongested = false

  init(spsm: UInt16, local: ChannelIdentifier, _ terms: ChannelTerms, _ phase: Phase) {
    (self.spsm, self.local, self.terms, self.phase) = (spsm, local, terms, phase)
    granted = Int(terms.credits)
  }

  /// The peer takes this.
  mutating func open(_ remote: ChannelIdentifier, _ terms: ChannelTerms) {
    (self.remote, phase) = (remote, .open)
    (mtu, mps, credits) = (Int(terms.mtu), Int(terms.mps), Int(terms.credits))
  }
}

// MARK: In

extension CreditChannel {
  /// Takes a K-frame. Its SDU length comes first in the first frame of an SDU:
  ///
  ///     05 00  48 65 6C    an SDU of 5 bytes, of which the next frame has 2
  ///
  /// - Returns: the SDU that it ends.
  mutating func receive(_ frame: [UInt8]) throws(ChannelViolation) -> [UInt8]? {
    guard granted > 0 else { throw .noCredit }
    guard frame.count <= Int(terms.mps) else { throw .frameTooLong }
    granted -= 1
    if unfinished == nil {
      guard frame.count >= 2 else { throw .noLength }
      expected = Int(UInt16(frame[0], frame[1]))
      guard expected <= Int(terms.mtu) else { throw .sduTooLong }
      unfinished = Array(frame[2...])
    } else {
      unfinished! += frame
    }
    guard let sdu = unfinished, sdu.count >= expected else { return nil }
    guard sdu.count == expected else { throw .tooManyBytes }
    unfinished = nil
    return sdu
  }

  /// The credits for the peer, once it has used half of them: a packet for each would cost the air half of its time.
  mutating func takeCredits() -> UInt16? {
    let missing = Int(terms.credits) - granted
    guard missing > 0, missing * 2 >= Int(terms.credits) else { return nil }
    granted += missing
    return UInt16(missing)
  }
}

// MARK: Out

extension CreditChannel {
  /// Whether a K-frame may go now.
  var hasFrame: Bool { credits > 0 && !waiting.isEmpty && phase == .open }

  var isDrained: Bool { waiting.isEmpty }

  /// How many bytes of SDUs wait.
  var unsent: Int { waiting.reduce(0) { $0 + $1.count } - sent }

  mutating func append(_ sdu: [UInt8]) { waiting.append(sdu) }

  mutating func add(_ credits: UInt16) throws(ChannelViolation) {
    guard self.credits + Int(credits) <= Self.mostCredits else { throw .tooManyCredits }
    self.credits += Int(credits)
  }

  /// The next K-frame, which uses a credit.
  mutating func takeFrame() -> [UInt8]? {
    guard hasFrame, let sdu = waiting.first else { return nil }
    credits -= 1
    let head = sent == 0 ? UInt16(sdu.count).littleEndianBytes : []
    let end = min(sdu.count, sent + mps - head.count)
    defer { goOn(from: end, of: sdu.count) }
    return head + sdu[sent..<end]
  }

  private mutating func goOn(from end: Int, of count: Int) {
    sent = end
    guard end == count else { return }
    sent = 0
    waiting.removeFirst()
    if waiting.isEmpty { waiting = [] }  // an empty slice would keep its memory
  }
}
