import Bluetooth

extension GATTClient {
  /// Reads a whole value, with several PDUs if one is not enough (Core Specification, Vol 3 Part G 4.8.1, 4.8.3).
  package func read(_ handle: AttributeHandle) async throws(GATTClientError) -> [UInt8] {
    try await perform(
      .read(handle, mtu: { self.mtu }) { $0.refusal == .invalidOffset || $0.refusal == .attributeNotLong })
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

  private func check(_ value: [UInt8], _ opcode: AttributeOpcode) throws(GATTClientError) {
    guard value.count <= longestWrite else {
      throw .valueTooLong(value.count, maximum: longestWrite, opcode)
    }
  }

  /// Writes a value of any length in parts, which take effect together at the end (Vol 3 Part G 4.9.4).
  ///
  /// If the server refuses a part or echoes other bytes, the queued parts are cancelled.
  package func writeLong(
    _ value: [UInt8], to handle: AttributeHandle, at offset: Int = 0
  ) async throws(GATTClientError) {
    let longest = 1 << 16
    guard value.count <= longest else {
      throw .valueTooLong(value.count, maximum: longest, .prepareWriteRequest)
    }
    try await perform(
      .writeLong(value, to: handle, at: offset, mtu: { self.mtu }) { .partChanged(handle, offset: $0) })
  }
}
