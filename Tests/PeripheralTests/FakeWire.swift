import EventLoop
import Peripheral

/// What stands at the serial side in a test: bytes that are put in wait until they are read.
@EventLoop
final class FakeWire: WireAttachment {
  let label = "test"
  weak var host: (any WireHost)?
  private(set) var written: [UInt8] = []
  private(set) var isClosed = false
  private(set) var speed: Int?
  private var waiting: [[UInt8]] = []

  var isReading = false {
    didSet { deliver() }
  }

  /// Bytes come in from the microcontroller behind the module.
  func put(_ bytes: [UInt8]) {
    waiting.append(bytes)
    deliver()
  }

  var hasWaiting: Bool { !waiting.isEmpty }

  private func deliver() {
    while isReading, !waiting.isEmpty { host?.receiveFromWire(waiting.removeFirst()) }
  }

  func write(_ bytes: [UInt8]) {
    written += bytes
    if !takesBytes { backlog += bytes.count }
  }

  /// Whether somebody takes what is written.
  var takesBytes = true {
    didSet {
      if takesBytes { backlog = 0 }
      host?.wireTookBytes()
    }
  }
  private(set) var backlog = 0

  func discard() -> Int {
    defer { waiting = [] }
    return waiting.reduce(0) { $0 + $1.count }
  }

  func changeSpeed(to baud: Int) { speed = baud }

  func close() { isClosed = true }
}
