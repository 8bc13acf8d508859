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
  private var writing: EventLoop.DescriptorWatch?
  private var pending: [UInt8] = []
  private var hasOverflowed = false
  private var buffer = [UInt8](repeating: 0, count: 4096)
  /// Called when the input has ended.
  var onEnd: (() -> Void)?

  /// - Parameter name: for messages, as in "the pseudo-terminal".
  init(input: FileDescriptor, output: FileDescriptor, name: String) {
    self.input = input
    self.output = output
    self.name = name
  }

  var isReading = false {
    didSet { if isReading != oldValue { updateReading() } }
  }

  private func updateReading() {
    guard isReading else { return reading = nil }
    reading = EventLoop.DescriptorWatch(input.rawValue, for: .readable) { [weak self] _ in self?.readOnce() }
  }

  private func readOnce() {
    let count = buffer.withUnsafeMutableBytes { Glibc.read(input.rawValue, $0.baseAddress, $0.count) }
    if count > 0 {
      host?.receiveFromWire(Array(buffer[..<count]))
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      reading = nil
      onEnd?()
    }
  }

  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    if pending.isEmpty { rest = rest.dropFirst(writeNow(rest)) }
    guard !rest.isEmpty else { return }
    guard pending.count + rest.count <= Self.capacity else { return overflow() }
    pending += rest
    if writing == nil {
      writing = EventLoop.DescriptorWatch(output.rawValue, for: .writable) { [weak self] _ in
        self?.writePending()
      }
    }
  }

  private func writePending() {
    pending.removeFirst(writeNow(pending[...]))
    guard pending.isEmpty else { return }
    writing = nil
    hasOverflowed = false
  }

  /// How many bytes went.
  private func writeNow(_ bytes: ArraySlice<UInt8>) -> Int {
    let count = bytes.withUnsafeBytes { Glibc.write(output.rawValue, $0.baseAddress, $0.count) }
    return max(0, count)
  }

  private func overflow() {
    if !hasOverflowed {
      host?.warn(
        "wire side: nobody reads \(name), and \(Self.capacity) bytes wait; bytes are dropped until somebody does"
      )
    }
    hasOverflowed = true
  }

  func close() {
    isReading = false
    if !pending.isEmpty { _ = writeNow(pending[...]) }
    writing = nil
  }
}

/// Why an attachment cannot be made.
package struct WireError: Error, Hashable, Sendable {
  package var message: String
  package var hint: String
}
