import Testing

@testable import Bluetooth

/// Procedures of a GATT client, at an ATT_MTU of 23: 22 bytes fill a response to a read, and 18 a prepared write.
@Suite struct GATTProcedureTests {
  /// What a procedure asks of a server that answers in this way, and its result.
  private func run<Value>(
    _ procedure: GATTProcedure<Value, ATTError>, _ answer: (AttributePDU) -> AttributePDU
  ) -> (requests: [AttributePDU], result: Result<Value, ATTError>) {
    var (procedure, requests) = (procedure, [AttributePDU]())
    while true {
      switch procedure {
      case .ended(let result): return (requests, result)
      case .asking(let request, let then):
        requests.append(request)
        procedure = then(answer(request).answer)
      }
    }
  }

  /// A server's value of 50 bytes: 0, 1, 2 and so on.
  private func answer(_ request: AttributePDU) -> AttributePDU {
    switch request {
    case .readRequest: .readResponse(Array(0..<22))
    case .readBlobRequest(_, let offset): .readBlobResponse(Array((UInt8(offset)..<50).prefix(22)))
    case .prepareWriteRequest(let handle, let offset, let part):
      .prepareWriteResponse(handle, offset: offset, part: part)
    case .executeWriteRequest: .executeWriteResponse
    default: .errorResponse(request: request.opcode, handle: 1, error: .attributeNotFound)
    }
  }

  @Test(
    arguments: [
      (0, 512, 0..<50, [22, 44]), (0, 44, 0..<44, [22]), (0, 45, 0..<50, [22, 44]),
      // The limit is one of the whole value, not of what is read.
      (10, 512, 10..<50, [10, 32]), (10, 32, 10..<32, [10]), (45, 512, 45..<50, [45]),
    ] as [(Int, Int, Range<UInt8>, [UInt16])])
  func `a value is read from an offset to its end or to a limit`(
    offset: Int, limit: Int, value: Range<UInt8>, parts: [UInt16]
  ) {
    let (requests, result) = run(
      .read(0x21, from: offset, upTo: limit, mtu: { 23 }, endingAt: { _ in true }), answer)
    #expect(result == .success(Array(value)))
    #expect(
      requests == (offset == 0 ? [.readRequest(0x21)] : [])
        + parts.map { .readBlobRequest(0x21, offset: $0) })
  }

  @Test(arguments: [true, false])
  func `a refusal after the first part is the end of the value only if the client says so`(isEnd: Bool) {
    let procedure = GATTProcedure<[UInt8], ATTError>.read(0x21, mtu: { 23 }, endingAt: { _ in isEnd })
    let result = run(procedure) {
      if case .readRequest = $0 { return answer($0) }
      return .errorResponse(request: .readBlobRequest, handle: 0x21, error: .readNotPermitted)
    }.result
    #expect(result == (isEnd ? .success(Array(0..<22)) : .failure(.readNotPermitted)))
  }

  @Test func `the parts of a long write follow each other from its offset on`() {
    let (requests, result) = run(.writeLong(Array(0..<20), to: 0x21, at: 10, mtu: { 23 }), answer)
    #expect(throws: Never.self) { try result.get() }
    #expect(
      requests == [
        .prepareWriteRequest(0x21, offset: 10, part: Array(0..<18)),
        .prepareWriteRequest(0x21, offset: 28, part: [18, 19]), .executeWriteRequest(commits: true),
      ])
  }

  @Test func `what is out of place is left out, and a response that does not advance ends the search`() {
    let rows = [[(4, 0x2800), (9, 0x2901), (5, 0x2902)], [(5, 0x2902)]] as [[(UInt16, BluetoothUUID)]]
    var responses = rows[...]
    let (requests, result) = run(.find(in: HandleRange(3, 8)) { .findInformationRequest($0) }) { _ in
      .findInformationResponse(responses.removeFirst().map { AttributeInformation($0, $1) })
    }
    #expect(
      requests == [.findInformationRequest(HandleRange(3, 8)), .findInformationRequest(HandleRange(6, 8))])
    #expect((try? result.get())?.map(\.handle) == [4, 5])
  }

  @Test func `begun again, a procedure asks the same again`() {
    let procedure = GATTProcedure<[UInt8], ATTError>.read(0x21, mtu: { 23 }, endingAt: { _ in true })
    #expect(run(procedure, answer) == run(procedure, answer))
  }
}
