import Bluetooth

extension GATTClient {
  private typealias Failure = GATTClientError

  /// Reads a whole value, with several PDUs if one is not enough (Core Specification, Vol 3 Part G 4.8.1, 4.8.3).
  package func read(_ handle: AttributeHandle) async throws(GATTClientError) -> [UInt8] {
    var longest = mtu - 1
    let first = try await request(.readRequest(handle))
    guard case .readResponse(var value) = first else { throw .misplaced(first, .readRequest) }
    var part = value
    while part.count >= longest, let offset = UInt16(exactly: value.count) {
      longest = mtu - 1
      guard let next = try await readOn(handle, offset) else { break }
      part = next
      value += part
    }
    return value
  }

  /// Reads one PDU of a value from an offset on (Vol 3 Part F 3.4.4.5).
  package func read(_ handle: AttributeHandle, from offset: UInt16) async throws(GATTClientError)
    -> [UInt8]
  {
    let response = try await request(.readBlobRequest(handle, offset: offset))
    guard case .readBlobResponse(let part) = response else { throw .misplaced(response, .readBlobRequest) }
    return part
  }

  /// The next part; nil if the last part ended exactly at the end of the value.
  private func readOn(_ handle: AttributeHandle, _ offset: UInt16) async throws(Failure) -> [UInt8]? {
    do throws(Failure) {
      return try await read(handle, from: offset)
    } catch .refused(.invalidOffset, _, _), .refused(.attributeNotLong, _, _) {
      return nil
    }
  }
}

// MARK: Writing

extension GATTClient {
  /// The longest value of a Write Request or Write Command: opcode and handle take 3 bytes.
  package var longestWrite: Int { mtu - 3 }

  /// Writes and waits for the response.
  package func write(_ value: [UInt8], to handle: AttributeHandle) async throws(GATTClientError) {
    try check(value, .writeRequest)
    _ = try await request(.writeRequest(handle, value))
  }

  /// Writes without response; returns when the kernel has taken the command.
  package func writeCommand(_ value: [UInt8], to handle: AttributeHandle) async throws(GATTClientError) {
    try check(value, .writeCommand)
    try await send(.writeCommand(handle, value))
  }

  private func check(_ value: [UInt8], _ opcode: AttributeOpcode) throws(Failure) {
    guard value.count <= longestWrite else {
      throw .valueTooLong(value.count, maximum: longestWrite, opcode)
    }
  }

  /// Writes a value of any length in parts, which take effect together at the end (Vol 3 Part G 4.9.4).
  ///
  /// If the server refuses a part or echoes other bytes, the queued parts are cancelled.
  package func writeLong(_ value: [UInt8], to handle: AttributeHandle) async throws(GATTClientError) {
    let longest = 1 << 16
    guard value.count <= longest else {
      throw .valueTooLong(value.count, maximum: longest, .prepareWriteRequest)
    }
    do throws(Failure) {
      try await prepareWrites(value, to: handle)
    } catch {
      try? await executeWrites(commits: false)
      throw error
    }
    try await executeWrites(commits: true)
  }

  /// Queues the parts; even an empty value has one.
  private func prepareWrites(_ value: [UInt8], to handle: AttributeHandle) async throws(Failure) {
    var offset = 0
    repeat {
      let part = Array(value[offset...].prefix(mtu - 5))
      guard try await prepareWrite(part, to: handle, at: UInt16(offset)) == .same else {
        throw .partChanged(handle, offset: offset)
      }
      offset += part.count
    } while offset < value.count
  }

  /// Whether the server has echoed the bytes that it was sent.
  package enum Echo: Sendable { case same, different }

  /// Queues a part of a long write.
  package func prepareWrite(_ part: [UInt8], to handle: AttributeHandle, at offset: UInt16)
    async throws(GATTClientError) -> Echo
  {
    let response = try await request(.prepareWriteRequest(handle, offset: offset, part: part))
    return response == .prepareWriteResponse(handle, offset: offset, part: part) ? .same : .different
  }

  /// Writes the queued parts, or cancels them.
  package func executeWrites(commits: Bool) async throws(GATTClientError) {
    _ = try await request(.executeWriteRequest(commits: commits))
  }
}
