/// Reads the head of a request (RFC 9112) from the bytes that a client sends, however they come.
///
/// It takes what browsers send, and nothing that two readers could understand differently: lines end with CR and LF, a field is one
/// line, and no body follows.
struct RequestReader: Sendable {
  /// The most bytes of a head. Browsers send the cookies of all servers of a host.
  static let mostBytes = 1 << 16
  static let mostFields = 100

  private var count = 0
  private var line: [UInt8] = []
  /// Whether the last byte was a CR, which only an LF may follow.
  private var hasReturn = false
  private var head: RequestHead?
  private var fieldCount = 0
  /// Whether the client has sent more than the head.
  private(set) var hasMore = false

  /// Takes bytes, and returns the head once it is complete.
  mutating func add(_ bytes: UnsafeRawBufferPointer) throws(RequestMistake) -> RequestHead? {
    for (index, byte) in bytes.enumerated() {
      count += 1
      guard count <= Self.mostBytes else { throw .tooLarge }
      guard try endsLine(byte) else { continue }
      defer { line = [] }
      guard let whole = try takeLine() else { continue }
      hasMore = index + 1 < bytes.count
      return whole
    }
    return nil
  }

  private mutating func endsLine(_ byte: UInt8) throws(RequestMistake) -> Bool {
    defer { hasReturn = byte == UInt8(ascii: "\r") }
    switch byte {
    case UInt8(ascii: "\n") where hasReturn: return true
    case _ where hasReturn: throw .badCharacter
    case UInt8(ascii: "\r"): return false
    case 0..<0x20 where byte != UInt8(ascii: "\t"), 0x7F: throw .badCharacter
    default:
      line.append(byte)
      return false
    }
  }

  private mutating func takeLine() throws(RequestMistake) -> RequestHead? {
    guard head != nil else {
      head = try RequestHead(requestLine: line)
      return nil
    }
    if line.isEmpty {
      try head?.checkFields()
      return head
    }
    fieldCount += 1
    guard fieldCount <= Self.mostFields else { throw .tooLarge }
    try head?.addField(line)
    return nil
  }
}

// MARK: Request line

extension RequestHead {
  fileprivate init(requestLine line: [UInt8]) throws(RequestMistake) {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .badRequestLine }
    guard parts[2].elementsEqual("HTTP/1.1".utf8) else {
      throw Self.isVersion(parts[2]) ? .otherVersion : .badRequestLine
    }
    method = String(decoding: parts[0], as: UTF8.self)
    guard method == "GET" || method == "HEAD" else { throw .otherMethod }
    try readTarget(parts[1])
  }

  private static func isVersion(_ text: ArraySlice<UInt8>) -> Bool {
    let number = Array(text.dropFirst(5))
    return text.starts(with: "HTTP/".utf8) && number.count == 3 && isDigit(number[0])
      && number[1] == UInt8(ascii: ".") && isDigit(number[2])
  }

  /// Reads a path with a query. The other forms are for proxies.
  private mutating func readTarget(_ target: ArraySlice<UInt8>) throws(RequestMistake) {
    guard target.first == UInt8(ascii: "/"), target.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .badTarget
    }
    let parts = target.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    path = try Self.decoded(parts[0])
    guard parts.count == 2 else { return }
    for parameter in parts[1].split(separator: UInt8(ascii: "&")) {
      guard let middle = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let value = parameter[(middle + 1)...].map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
      query[try Self.decoded(parameter[..<middle])] = try Self.decoded(value[...])
    }
  }

  /// The text for one with percent-encoded bytes (RFC 3986, section 2.1).
  private static func decoded(_ text: ArraySlice<UInt8>) throws(RequestMistake) -> String {
    var (bytes, rest) = ([UInt8](), text)
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      guard digits.count == 2, digits != [0, 0] else { throw .badTarget }
      bytes.append(UInt8(digits[0] << 4 | digits[1]))
      rest = rest.dropFirst(2)
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else { throw .badTarget }
    return decoded
  }
}

// MARK: Fields

extension RequestHead {
  fileprivate mutating func addField(_ line: [UInt8]) throws(RequestMistake) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
      line[..<colon].allSatisfy(Self.isOfName)
    else { throw .badField }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    let value = String(decoding: Self.trimmed(line[(colon + 1)...]), as: UTF8.self)
    headers[name] = headers[name].map { "\($0), \(value)" } ?? value
  }

  /// Whether it may be in the name of a field (RFC 9110, section 5.6.2).
  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    default: isDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let end = value.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? value.startIndex
    return value[..<end].drop(while: isSpace)
  }

  /// Checks the fields together: a host is named, and no body follows.
  fileprivate func checkFields() throws(RequestMistake) {
    guard headers["host"] != nil else { throw .noHost }
    guard headers["transfer-encoding"] == nil else { throw .transferCoding }
    guard headers["expect", default: "100-continue"].lowercased() == "100-continue" else {
      throw .expectation
    }
    let length = headers["content-length", default: "0"].utf8
    guard !length.isEmpty, length.allSatisfy(Self.isDigit) else { throw .badLength }
    guard length.allSatisfy({ $0 == UInt8(ascii: "0") }) else { throw .body }
  }
}

// MARK: Mistakes

/// Why a client gets no answer but this one.
struct RequestMistake: Error, Hashable, Sendable {
  let status: Int
  let sentence: String

  static let badRequestLine = Self(status: 400, sentence: "this is not HTTP")
  static let badCharacter = Self(
    status: 400, sentence: "a line ends with CR LF, and has no other control character")
  static let badTarget = Self(status: 400, sentence: "the target is a path, percent-encoded")
  static let badField = Self(status: 400, sentence: "a field is one line, 'NAME: VALUE'")
  static let badLength = Self(status: 400, sentence: "Content-Length is a number")
  static let noHost = Self(status: 400, sentence: "this needs the field Host")
  static let otherMethod = Self(status: 405, sentence: "only GET is possible")
  static let body = Self(status: 413, sentence: "a request has no body here")
  static let expectation = Self(status: 417, sentence: "only 100-continue can be expected")
  static let tooLarge = Self(
    status: 431,
    sentence: "a head has at most \(RequestReader.mostBytes) bytes and \(RequestReader.mostFields) fields")
  static let transferCoding = Self(status: 501, sentence: "a request has no transfer coding here")
  static let otherVersion = Self(status: 505, sentence: "only HTTP/1.1 is possible")
}
