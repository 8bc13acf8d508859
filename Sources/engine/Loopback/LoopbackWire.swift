import EventLoop
import Peripheral

/// A wire side in memory, without a speed: its input waits until the device reads it.
@EventLoop
package final class LoopbackWire: WireAttachment {
  package let label: String
  package weak var host: (any WireHost)?
  /// What the device has written, unless somebody takes it.
  package private(set) var written: [UInt8] = []
  /// The speed that the device has set, bits a second.
  package private(set) var speed: Int?
  package private(set) var isClosed = false
  package private(set) var backlog = 0
  private let take: (([UInt8]) -> Void)?
  private var waiting: [[UInt8]] = []

  /// - Parameter take: takes what the device writes; nil: ``written`` keeps it.
  package init(_ label: String, take: (([UInt8]) -> Void)? = nil) {
    self.label = label
    self.take = take
  }

  package var isReading = false {
    didSet { deliver() }
  }

  /// Bytes come in from the far side.
  package func put(_ bytes: [UInt8]) {
    waiting.append(bytes)
    deliver()
  }

  package var hasWaiting: Bool { !waiting.isEmpty }

  private func deliver() {
    while isReading, !waiting.isEmpty { host?.receiveFromWire(waiting.removeFirst()) }
  }

  /// Whether the far side takes what the device writes; until it does, that is the ``backlog``.
  package var takesBytes = true {
    didSet {
      if takesBytes { backlog = 0 }
      host?.wireTookBytes()
    }
  }

  package func write(_ bytes: [UInt8]) {
    if let take { take(bytes) } else { written += bytes }
    if !takesBytes { backlog += bytes.count }
  }

  package func discard() -> Int {
    defer { waiting = [] }
    return waiting.reduce(0) { $0 + $1.count }
  }

  package func changeSpeed(to baud: Int) { speed = baud }

  package func close() { isClosed = true }
}
