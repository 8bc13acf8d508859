import CZlib

/// How many bytes the compressed parts of a file may have together once they are decompressed: a few megabytes could otherwise fill
/// the memory, or take hours.
final class InflationLimit {
  /// Much more than the logs of any phone, and than the text of a bug report.
  private static let usual = 512 << 20

  fileprivate(set) var rest: Int
  private let total: Int

  init(_ total: Int = usual) { (rest, self.total) = (total, total) }

  var damage: CaptureDamage {
    let size = total < 1 << 20 ? "\(total) bytes" : "\(total >> 20) MB"
    return CaptureDamage(
      text:
        "The compressed data expands to more than \(size), and blemu has read no further. Decompress it yourself, and cut out the "
        + "part of interest, for example with Wireshark.", isOfFile: false)
  }
}

/// The contents of a gzip file (RFC 1952) or of a deflated part of a zip archive (RFC 1951), in pieces.
final class InflatedBytes: ByteSource {
  static let gzipSignature: [UInt8] = [0x1F, 0x8B]

  enum Form: CInt {
    case gzip = 31
    case deflate = -15
    /// RFC 1950.
    case zlib = 15
  }

  private let source: any ByteSource
  private let form: Form
  private let limit: InflationLimit
  /// zlib keeps a pointer to it.
  private let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var input = [UInt8](repeating: 0, count: 64 << 10)
  private var rest = 0..<0
  private var outcome: Result<Void, CaptureDamage>?

  init(_ source: any ByteSource, _ form: Form, _ limit: InflationLimit) {
    (self.source, self.form, self.limit) = (source, form, limit)
    state.initialize(to: z_stream())
    if inflateInit2_(state, form.rawValue, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) != Z_OK {
      outcome = .failure(CaptureDamage(text: "There is no memory to decompress the file."))
    }
  }

  deinit {
    inflateEnd(state)
    state.deallocate()
  }

  func read(into memory: UnsafeMutableRawBufferPointer) -> Result<Int, CaptureDamage> {
    guard !memory.isEmpty else { return .success(0) }
    if outcome == nil, limit.rest == 0 { outcome = .failure(limit.damage) }
    state.pointee.next_out = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
    state.pointee.avail_out = UInt32(clamping: min(memory.count, limit.rest))
    let room = Int(state.pointee.avail_out)
    while outcome == nil, Int(state.pointee.avail_out) == room { inflateOnce() }
    let count = room - Int(state.pointee.avail_out)
    limit.rest -= count
    return count > 0 ? .success(count) : (outcome ?? .success(())).map { 0 }
  }

  private func inflateOnce() {
    if rest.isEmpty, !fill() { return }
    let part = rest
    let status = input.withUnsafeMutableBytes { memory in
      let piece = UnsafeMutableRawBufferPointer(rebasing: memory[part])
      state.pointee.next_in = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
      state.pointee.avail_in = UInt32(part.count)
      return inflate(state, Z_NO_FLUSH)
    }
    rest = rest.suffix(Int(state.pointee.avail_in))
    switch status {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: endMember()
    default: outcome = .failure(CaptureDamage(text: "The compressed data is damaged."))
    }
  }

  /// Gets more of what is compressed; false: there is no more.
  private func fill() -> Bool {
    switch input.withUnsafeMutableBytes({ source.read(into: $0) }) {
    case .success(0): outcome = .failure(CaptureDamage(text: "The compressed data is cut off."))
    case .success(let count): rest = 0..<count
    case .failure(let damage): outcome = .failure(damage)
    }
    return outcome == nil
  }

  /// A gzip file may have several members, one after the other. Anything else after a member is left out.
  private func endMember() {
    if form == .gzip, rest.isEmpty, !fill() {
      outcome = .success(())
    } else if form == .gzip, input[rest].first == Self.gzipSignature[0] {
      inflateReset(state)
    } else {
      outcome = .success(())
    }
  }
}
