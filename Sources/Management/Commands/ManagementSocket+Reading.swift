extension ManagementSocket {
  /// Sends a command and reads a value from its return parameters.
  func perform<Value>(
    _ opcode: ManagementOpcode, on controller: UInt16?, _ parameters: [UInt8] = [],
    reading read: (inout FieldReader) throws(MalformedFields) -> Value
  ) async throws(ManagementError) -> Value {
    let answer = try await perform(opcode, on: controller, parameters)
    do throws(MalformedFields) {
      var fields = FieldReader(answer)
      return try read(&fields)
    } catch {
      throw .unexpectedAnswer(opcode, answer)
    }
  }
}
