import Bluetooth
import Testing

@testable import BlueZLimits

/// The limits of the definition are those of the transport.
@Suite struct RefusalTests {
  @Test(arguments: (1...255).map { ATTError(rawValue: $0) })
  func `an error that comes through has a D-Bus error of its own, any other becomes Unlikely Error`(
    error: ATTError
  ) {
    let generic = ATTError.unlikelyError.dbusError.name
    for isRead in [true, false] {
      let sent = error.throughBlueZ(onRead: isRead)
      #expect(sent.dbusError.name == error.dbusError.name)
      let isGeneric = error.dbusError.name == generic && !error.isApplicationError
      #expect((sent == .unlikelyError) == isGeneric)
    }
  }
}

@Suite struct SentErrorsTests {
  @Test func `the text lists the errors that BlueZ can send`() {
    #expect(ATTError.sentByBlueZ == "02 or 03, 06, 07, 08, 0D, 0E, 80 to 9F, FE")
  }
}
