import DeviceModel
import EventLoop
import RoundTrip
import TestBeds
import Testing

@Suite struct LayeredDoubleTests {
  /// GoPro's headers have lengths of 5 or 13 bits, and numbers of 4 bits in what the camera sends.
  @EventLoop @Test func `the double of a device that sends fragments has layers`() async throws {
    let trip = try await BundledRoundTrips.trip(of: "gopro")
    let checked = trip.double.checked
    #expect(checked.definition.layers.count > 1)
    let longer = "{bits(1: 3, length: 13)} {data: bytes}"
    #expect(checked.definition.namedMessages.contains { $0.source == longer })
    #expect(!checked.result.hasDifferences)
  }
}
