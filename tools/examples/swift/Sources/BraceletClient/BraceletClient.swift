/// A connection to a bracelet: the app's own Bluetooth, or a device in memory.
public protocol BraceletConnection {
  /// Writes a packet to the characteristic FFE1.
  func write(_ packet: [UInt8]) async throws
  /// The next notification of FFE1; nil: none has come in time.
  func nextPacket() async throws -> [UInt8]?
  /// The value of the characteristic 2A19, percent.
  func batteryLevel() async throws -> UInt8
}

/// What a bracelet did not do.
public enum BraceletError: Error, Hashable {
  case noAnswer
}

/// Reads the history of a fitness bracelet.
public struct BraceletClient<Connection: BraceletConnection> {
  private let connection: Connection

  public init(_ connection: Connection) { self.connection = connection }

  /// The samples of a day, in multiples of 15.
  public func samples(month: UInt8, day: UInt8) async throws -> [UInt8] {
    let total = try await ask([0xA5, 6, 0x03, month, day]) { $0.count == 6 && $0[2] == 0x83 }
    var samples: [UInt8] = []
    for index in 0..<total[3] {
      let packet = try await ask([0xA5, 7, 0x04, month, day, index]) {
        $0.count == 20 && $0[2] == 0x84 && $0[3] == index
      }
      samples += packet[4..<19]
    }
    return samples
  }

  /// Whether its owner should charge it.
  public func needsCharging() async throws -> Bool { try await connection.batteryLevel() < 15 }

  /// Sends a request, again if nothing comes, and returns the answer.
  private func ask(_ request: [UInt8], isAnswer: ([UInt8]) -> Bool) async throws -> [UInt8] {
    for _ in 0..<3 {
      try await connection.write(request + [checksum(request)])
      while let packet = try await connection.nextPacket() {
        if isAnswer(packet), checksum(packet) == 0 { return packet }
      }
    }
    throw BraceletError.noAnswer
  }

  private func checksum(_ bytes: [UInt8]) -> UInt8 { bytes.reduce(0, ^) }
}
