import DefinitionWriter
import DeviceModel
import Testing

@testable import Learning

struct ClockReadingTests {
  /// Times in milliseconds since the start of the device.
  private static func expression(
    _ readings: [(time: Double, number: Int64)], rate: Int64 = 1, limit: Int64 = 256
  ) -> String? {
    let expression = ClockReading.expression(
      for: readings.map { ClockReading(time: $0.time * 1000, number: $0.number) }, unitsPerSecond: rate,
      limit: limit)
    var device = PeripheralDefinition(name: "Clock")
    device.values = expression.map { [.init(name: "time", expression: $0, type: .integer)] } ?? []
    let written = try? DefinitionWriter(device).write().text
    return written?.split(separator: "\n").first { $0.contains("time: ") }.map { String($0.dropFirst(8)) }
  }

  /// It is 66 s ahead, or up to 100 ms less or more.
  @Test func `a clock goes on from where it was when the device started`() {
    #expect(
      Self.expression([(2100, 68), (2900, 68), (3100, 69), (3900, 69)]) == "(uptime + 66000) // 1000 % 256")
  }

  @Test func `a clock that turns over has one offset`() {
    #expect(Self.expression([(1000, 255), (2000, 0), (3000, 1)]) == "(uptime + 254500) // 1000 % 256")
    #expect(Self.expression([(250_000, 10), (251_000, 11)]) == "(uptime + 16500) // 1000 % 256")
  }

  @Test func `the most readings count`() {
    #expect(
      Self.expression([(100, 1), (200, 2), (300, 3), (400, 9)], rate: 10)
        == "(uptime + 50) * 10 // 1000 % 256")
  }

  @Test func `milliseconds since the start are the time itself`() {
    #expect(Self.expression([(100.2, 100), (200.7, 200)], rate: 1000, limit: 65536) == "uptime % 65536")
  }

  @Test func `no reading has no expression`() { #expect(Self.expression([]) == nil) }
}
