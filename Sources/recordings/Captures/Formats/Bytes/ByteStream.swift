/// Takes the bytes of a source in the sizes that a reader needs. It keeps only a piece of them in memory.
final class ByteStream {
  /// The longest record that a reader accepts.
  static let longestRecord = 1 << 20

  private let source: any ByteSource
  /// For what is compressed in it.
  let limit: InflationLimit
  private var buffer: [UInt8]
  /// The bytes of the buffer that nobody has taken.
  private var rest = 0..<0
  /// The place of the next byte, from the start of the source.
  private(set) var offset = 0
  /// Where the current record begins.
  private(set) var recordStart = 0

  /// - Parameter pieceSize: how many bytes to read at once.
  init(_ source: any ByteSource, _ limit: InflationLimit = InflationLimit(), pieceSize: Int = 128 << 10) {
    (self.source, self.limit) = (source, limit)
    buffer = [UInt8](repeating: 0, count: pieceSize)
  }

  /// The next bytes, which remain; fewer if the source ends.
  func peek(_ count: Int) throws(CaptureDamage) -> ArraySlice<UInt8> {
    if count > rest.count { try fill(count) }
    return buffer[rest].prefix(count)
  }

  /// The next bytes. Their count is at most that of the longest record and of its headers.
  func take(_ count: Int) throws(CaptureDamage) -> ArraySlice<UInt8> {
    let bytes = try peek(count)
    guard bytes.count == count else { throw .cutOff }
    advance(count)
    return bytes
  }

  /// Leaves out bytes, however many.
  func skip(_ count: Int) throws(CaptureDamage) {
    var left = count
    while left > 0 {
      if rest.isEmpty { try fill(1) }
      guard !rest.isEmpty else { throw .cutOff }
      let step = min(left, rest.count)
      advance(step)
      left -= step
    }
  }

  /// Leaves out everything before these bytes; false: there are none.
  func skip(to pattern: [UInt8]) throws(CaptureDamage) -> Bool {
    let pieceSize = 64 << 10
    while true {
      let piece = try peek(pieceSize)
      if let place = piece.firstPlace(of: pattern) {
        advance(place)
        return true
      }
      guard piece.count == pieceSize else { return false }
      advance(pieceSize - pattern.count + 1)
    }
  }

  /// The next bytes, which remain, as far as the source has them without damage.
  func preview(_ count: Int) -> ArraySlice<UInt8> {
    try? fill(count)
    return buffer[rest].prefix(count)
  }

  /// Whether there is another record. The place is its start.
  func beginRecord() throws(CaptureDamage) -> Bool {
    recordStart = offset
    return try !peek(1).isEmpty
  }

  private func advance(_ count: Int) {
    rest = rest.dropFirst(count)
    offset += count
  }

  /// Reads until the buffer has this many bytes or the source ends.
  private func fill(_ count: Int) throws(CaptureDamage) {
    let old = rest
    buffer.withUnsafeMutableBytes { memory in
      guard let start = memory.baseAddress, !old.isEmpty else { return }
      start.copyMemory(from: start + old.lowerBound, byteCount: old.count)  // these may overlap
    }
    rest = 0..<old.count
    if buffer.count < count { buffer += [UInt8](repeating: 0, count: count - buffer.count) }
    while rest.count < count {
      let end = rest.upperBound
      let result = buffer.withUnsafeMutableBytes { memory in
        source.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[end...]))
      }
      let read = try result.get()
      guard read > 0 else { return }
      rest = 0..<(end + read)
    }
  }
}

extension ArraySlice<UInt8> {
  /// How many bytes precede the first occurrence of these.
  fileprivate func firstPlace(of pattern: [UInt8]) -> Int? {
    guard let first = pattern.first else { return 0 }
    var rest = self
    while let place = rest.firstIndex(of: first) {
      rest = rest[place...]
      if rest.starts(with: pattern) { return place - startIndex }
      rest = rest.dropFirst()
    }
    return nil
  }
}
