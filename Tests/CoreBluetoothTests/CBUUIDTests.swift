import CoreBluetooth
import Testing

@Suite struct CBUUIDTests {
  @Test func `a UUID prints what it was made of, and equals its longer forms`() {
    let short = CBUUID(string: "ffe0")
    let long = CBUUID(string: "0000FFE0-0000-1000-8000-00805F9B34FB")
    #expect(short.uuidString == "FFE0" && short.data == Data([0xFF, 0xE0]))
    #expect(long.uuidString == "0000FFE0-0000-1000-8000-00805F9B34FB" && long.data.count == 16)
    #expect(
      short == long && short.hash == long.hash && Set([short, long, CBUUID(string: "0000ffe0")]).count == 1)
    #expect(short != CBUUID(string: "FFE1") && short != CBUUID(nsuuid: UUID()))
    #expect(CBUUID(data: Data([0xFF, 0xE0])) == short)
  }

  @Test func `errors are known by their type, their code and as NSError`() {
    let refusal: any Error = CBATTError(.readNotPermitted)
    #expect((refusal as? CBATTError)?.code == .readNotPermitted)
    #expect((refusal as NSError).domain == "CBATTErrorDomain" && (refusal as NSError).code == 2)
    #expect(refusal.localizedDescription == "Reading is not permitted.")
    func isLost(_ error: any Error) -> Bool {
      if case CBError.connectionTimeout = error { true } else { false }
    }
    #expect(isLost(CBError(.connectionTimeout)) && !isLost(CBError(.connectionFailed)) && !isLost(refusal))
    #expect(
      CBError(.peripheralDisconnected).localizedDescription
        == "The specified device has disconnected from us.")
  }
}
