/// Bytes that come one after the other, from a file or out of a compressed part of one.
protocol ByteSource: AnyObject {
  /// Fills the beginning of the memory. 0: there are no more bytes.
  func read(into memory: UnsafeMutableRawBufferPointer) -> Result<Int, CaptureDamage>
}

/// Why a recording cannot be read any further.
struct CaptureDamage: Error, Hashable {
  /// A sentence for a person, without the place.
  let text: String
  /// Whether the file is damaged; false: there is more of it than blemu reads.
  var isOfFile = true

  static let cutOff = CaptureDamage(text: "The file ends within a record.")

  static func tooLong(_ length: some BinaryInteger) -> CaptureDamage {
    CaptureDamage(text: "A record claims to have \(length) bytes.")
  }

  /// Why nothing of the file can be read.
  var reason: CaptureFileError.Reason { isOfFile ? .damaged(text) : .tooLong(text) }
}

/// Bytes with places: a file, or memory.
protocol StoredBytes: AnyObject {
  var count: Int { get }
  /// Fills the beginning of the memory with the bytes from a place on. 0: there are none.
  func read(at place: Int, into memory: UnsafeMutableRawBufferPointer) -> Result<Int, CaptureDamage>
}

extension StoredBytes {
  /// The bytes of a range, as far as they exist.
  func bytes(in range: Range<Int>) throws(CaptureDamage) -> [UInt8] {
    let stream = ByteStream(StoredPart(self, range))
    return Array(try stream.peek(range.count))
  }
}

/// A part of stored bytes, from its start to its end.
final class StoredPart: ByteSource {
  private let whole: any StoredBytes
  private var rest: Range<Int>

  init(_ whole: any StoredBytes, _ range: Range<Int>) {
    (self.whole, rest) = (whole, range.clamped(to: 0..<max(0, whole.count)))
  }

  func read(into memory: UnsafeMutableRawBufferPointer) -> Result<Int, CaptureDamage> {
    let length = min(memory.count, rest.count)
    guard length > 0 else { return .success(0) }
    let result = whole.read(
      at: rest.lowerBound, into: UnsafeMutableRawBufferPointer(rebasing: memory[..<length]))
    if case .success(let count) = result { rest = rest.dropFirst(count) }
    return result
  }
}

/// Bytes in memory.
final class BytesInMemory: StoredBytes {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  func read(at place: Int, into memory: UnsafeMutableRawBufferPointer) -> Result<Int, CaptureDamage> {
    guard bytes.indices.contains(place) else { return .success(0) }
    let part = bytes[place...].prefix(memory.count)
    memory.copyBytes(from: part)
    return .success(part.count)
  }
}
