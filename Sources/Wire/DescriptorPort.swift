import EventLoop
import Glibc
import Peripheral

/// Bytes in and out of a pair of file descriptors, for attachments that are nothing more.
///
/// What the other side does not take waits here, up to ``capacity`` bytes; more than that is dropped, and said.
@EventLoop
final class DescriptorPort {
  static let capacity = 1 << 20

  weak var host: (any WireHost)?
  private let input: FileDescriptor
  private let output: FileDescriptor
  private let name: String
  private var reading: EventLoop.DescriptorWatch?
  private let writer: EventLoop.DescriptorWriter
  private var hasOverflowed = false
  private var isBroken = false
  private var hasEnded = false
  private var buffer = [UInt8](repeating: 0, count: 4096)
  /// Called when the input has ended.
  var onEnd: (() -> Void)?

  /// - Parameter name: for messages, as in "the pseudo-terminal".
  init(input: FileDescriptor, output: FileDescriptor, name: String) {
    self.input = input
    self.output = output
    self.name = name
    writer = EventLoop.DescriptorWriter(output.rawValue)
    writer.onEmpty = { [weak self] in self?.hasOverflowed = false }
    writer.onFailure = { [weak self] code in self?.breakOff(code) }
  }

  var isReading = false {
    didSet { if isReading != oldValue { updateReading() } }
  }

  /// Lets go of both descriptors, after what can be handed over at once.
  func close() {
    isReading = false
    writer.flush()
    writer.end()
  }
}

// MARK: In

extension DescriptorPort {
  private func updateReading() {
    guard isReading, !hasEnded else { return reading = nil }
    reading = EventLoop.DescriptorWatch(input.rawValue, for: .readable) { [weak self] _ in self?.readOnce() }
  }

  private func readOnce() {
    let count = buffer.withUnsafeMutableBytes { read(input.rawValue, $0.baseAddress, $0.count) }
    if count > 0 {
      host?.receiveFromWire(Array(buffer[..<count]))
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      reading = nil
      hasEnded = true
      onEnd?()
    }
  }
}

// MARK: Out

extension DescriptorPort {
  func write(_ bytes: [UInt8]) {
    guard !isBroken else { return }
    guard writer.count + bytes.count <= Self.capacity else { return overflow() }
    writer.append(bytes)
    writer.flush()
    if writer.count == 0 { hasOverflowed = false }
  }

  private func overflow() {
    if !hasOverflowed {
      host?.warn(
        "wire side: nobody reads \(name), and \(Self.capacity) bytes wait; bytes are dropped until somebody does"
      )
    }
    hasOverflowed = true
  }

  private func breakOff(_ code: Int32) {
    isBroken = true
    let reason = String(cString: strerror(code))
    host?.warn("wire side: cannot write to \(name): \(reason); what is written there from now on is dropped")
  }
}

/// An attachment that is a ``DescriptorPort`` and little more.
@EventLoop
protocol PortAttachment: WireAttachment {
  var port: DescriptorPort { get }
}

extension PortAttachment {
  package var host: (any WireHost)? {
    get { port.host }
    set { port.host = newValue }
  }

  package var isReading: Bool {
    get { port.isReading }
    set { port.isReading = newValue }
  }

  package func write(_ bytes: [UInt8]) { port.write(bytes) }
}

/// Why an attachment cannot be made.
package struct WireError: Error, Hashable, Sendable {
  package var message: String
  package var hint: String
}
