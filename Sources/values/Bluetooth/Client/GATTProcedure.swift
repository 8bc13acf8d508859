/// A procedure of a GATT client (Core Specification, Vol 3 Part G 4): the request to send next, or its result. It knows no link and
/// no time: a client sends each request, and continues with the answer. Begun again, it asks the same again.
package enum GATTProcedure<Value, Failure: Error> {
  /// A response is the one to the request.
  package typealias Answer = Result<AttributePDU, Failure>

  case asking(AttributePDU, then: (Answer) -> GATTProcedure)
  case ended(Result<Value, Failure>)
}

// MARK: Reading

extension GATTProcedure where Value == [UInt8] {
  /// Reads a value from an offset to its end, with several requests if one is not enough (Vol 3 Part G 4.8.1, 4.8.3).
  ///
  /// - Parameters:
  ///   - limit: Once the value has so many bytes, it is not read any further.
  ///   - mtu: The present ATT_MTU, bytes.
  ///   - isEnd: Whether this failure to read a further part is the end of the value; otherwise it fails the procedure.
  package static func read(
    _ handle: AttributeHandle, from offset: Int = 0, upTo limit: Int = 1 << 16, mtu: @escaping () -> Int,
    endingAt isEnd: @escaping (Failure) -> Bool
  ) -> Self {
    func readOn(after earlier: [UInt8]?) -> Self {
      // A part that came at a larger MTU is not taken for the last.
      let (place, longest) = (UInt16(clamping: offset + (earlier?.count ?? 0)), mtu() - 1)
      return .asking(place == 0 ? .readRequest(handle) : .readBlobRequest(handle, offset: place)) { answer in
        switch answer {
        case .success(let response):
          let part = response.readPart
          let value = (earlier ?? []) + part
          let isWhole = part.count < longest || offset + value.count >= limit
          return isWhole ? .ended(.success(value)) : readOn(after: value)
        case .failure(let error):
          if let earlier, isEnd(error) { return .ended(.success(earlier)) }
          return .ended(.failure(error))
        }
      }
    }
    return readOn(after: nil)
  }
}

// MARK: Writing

extension GATTProcedure where Value == Void {
  /// Writes a value of any length in parts, which take effect together at the end (Vol 3 Part G 4.9.4). Even an empty value has one.
  ///
  /// If a part fails, the queued ones are cancelled.
  ///
  /// - Parameters:
  ///   - mtu: The present ATT_MTU, bytes.
  ///   - changed: The failure if the server echoes other bytes of the part at an offset; nil: its echo is not compared.
  package static func writeLong(
    _ value: [UInt8], to handle: AttributeHandle, at offset: Int = 0, mtu: @escaping () -> Int,
    ifChanged changed: ((_ offset: Int) -> Failure)? = nil
  ) -> Self {
    func queue(_ rest: ArraySlice<UInt8>) -> Self {
      let part = Array(rest.prefix(mtu() - 5))
      let place = UInt16(clamping: offset + rest.startIndex)
      return .asking(.prepareWriteRequest(handle, offset: place, part: part)) { answer in
        switch answer {
        case .failure(let error): return execute(else: error)
        case .success(let echo):
          if let changed, echo != .prepareWriteResponse(handle, offset: place, part: part) {
            return execute(else: changed(Int(place)))
          }
          return part.count < rest.count ? queue(rest.dropFirst(part.count)) : execute()
        }
      }
    }
    return queue(value[...])
  }

  /// Writes the queued parts, or cancels them because of a failure.
  private static func execute(else failure: Failure? = nil) -> Self {
    .asking(.executeWriteRequest(commits: failure == nil)) { answer in
      .ended(failure.map { .failure($0) } ?? answer.map { _ in })
    }
  }
}

// MARK: PDUs

extension AttributePDU {
  /// What a response answers: itself, or the error of an Error Response.
  package var answer: Result<AttributePDU, ATTError> {
    if case .errorResponse(_, _, let error) = self { .failure(error) } else { .success(self) }
  }

  fileprivate var readPart: [UInt8] {
    switch self {
    case .readResponse(let part), .readBlobResponse(let part): part
    default: []
    }
  }

  /// Hands over the values of a notification or an indication, in order.
  ///
  /// - Returns: how they came, as the client has to confirm an indication; nil: this is another PDU.
  package func passValues(
    to take: (_ handle: AttributeHandle, _ value: [UInt8], Delivery) -> Void
  ) -> Delivery? {
    switch self {
    case .notification(let handle, let value): take(handle, value, .notification)
    case .multipleNotification(let values):
      for each in values { take(each.handle, each.value, .notification) }
    case .indication(let handle, let value):
      take(handle, value, .indication)
      return .indication
    default: return nil
    }
    return .notification
  }
}
