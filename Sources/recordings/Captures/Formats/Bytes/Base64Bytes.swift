/// The bytes that lines of base64 (RFC 4648) encode, up to padding or a line that begins with a hyphen.
final class Base64Bytes: ByteSource {
  private let text: ByteStream
  /// What is left of the piece of the text that was taken last.
  private var piece: ArraySlice<UInt8> = []
  /// The digits that make no whole byte yet, and how many bits they have.
  private var (bits, bitCount): (UInt32, UInt32) = (0, 0)
  private var outcome: Result<Void, CaptureDamage>?

  init(_ text: ByteStream) { self.text = text }

  /// Fills the memory, unless there are no more bytes.
  func read(into memory: UnsafeMutableRawBufferPointer) -> Result<Int, CaptureDamage> {
    var count = 0
    while count < memory.count, let digit = nextDigit() {
      (bits, bitCount) = (bits << 6 | digit, bitCount + 6)
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      memory[count] = UInt8(truncatingIfNeeded: bits >> bitCount)
      count += 1
    }
    return count > 0 ? .success(count) : (outcome ?? .success(())).map { 0 }
  }

  private func nextDigit() -> UInt32? {
    while outcome == nil, let byte = nextByte() {
      if let digit = Self.digits[byte] { return digit }
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: " "): continue
      case UInt8(ascii: "-"), UInt8(ascii: "="): outcome = .success(())
      default: outcome = .failure(CaptureDamage(text: "The log has a character that is none of base64."))
      }
    }
    return nil
  }

  private func nextByte() -> UInt8? {
    if piece.isEmpty {
      do throws(CaptureDamage) { piece = try text.take(text.peek(4096).count) } catch {
        outcome = .failure(error)
      }
    }
    return piece.popFirst()
  }

  private static let digits: [UInt8: UInt32] = {
    let characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    return Dictionary(uniqueKeysWithValues: zip(characters, 0...))
  }()
}
