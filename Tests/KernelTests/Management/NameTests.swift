import Glibc
import Testing

@testable import Kernel

@Suite struct NameTests {
  @Test(arguments: [
    (ManagementError.noBluetooth, "this kernel has no Bluetooth sockets"),
    (.notPermitted, "the kernel does not allow this program to manage Bluetooth adapters"),
    (
      .refused(.setPowered, .blocked), "the kernel refused Set Powered: Blocked through rfkill (0x12)"
    ),
    (
      .refused(ManagementOpcode(rawValue: 0x99), ManagementStatus(rawValue: 0x15)),
      "the kernel refused command 0x0099: Unknown Status (0x15)"
    ),
    (.noAnswer(.unpairDevice), "the kernel did not answer Unpair Device"),
    (
      .unexpectedAnswer(.unpairDevice, [1, 0xAB]),
      "the kernel answered Unpair Device with unexpected data: '01 AB'"
    ),
    (.closed, "the management socket is closed"),
    (.failed(EIO), "the management socket failed: Input/output error"),
  ])
  func `an error is a sentence`(error: ManagementError, message: String) {
    #expect(error.message == message)
    #expect("\(error)" == message)
  }

  @Test(arguments: [
    (EAFNOSUPPORT, ManagementError.noBluetooth), (EPROTONOSUPPORT, .noBluetooth), (EPERM, .notPermitted),
    (EACCES, .notPermitted), (EMFILE, .failed(EMFILE)),
  ])
  func `opening fails for a reason`(code: Int32, error: ManagementError) {
    #expect(ManagementError(opening: code) == error)
  }

  @Test func `a right can be missing at the socket and at a command`() {
    #expect(ManagementError.notPermitted.isPermission)
    #expect(ManagementError.refused(.setPowered, .permissionDenied).isPermission)
    #expect(!ManagementError.refused(.setPowered, .busy).isPermission)
    #expect(!ManagementError.closed.isPermission)
  }

  @Test(arguments: [
    (ManagementStatus.success, "Success (0x00)"), (.busy, "Busy (0x0A)"), (.rejected, "Rejected (0x0B)"),
    (.invalidParameters, "Invalid Parameters (0x0D)"), (.notPowered, "Not Powered (0x0F)"),
    (.invalidIndex, "Invalid Index (0x11)"), (.alreadyPaired, "Already Paired (0x13)"),
    (.permissionDenied, "Permission Denied (0x14)"),
  ])
  func `a status has its name and code`(status: ManagementStatus, text: String) {
    #expect("\(status)" == text)
  }

  @Test func `an opcode has its name`() {
    #expect(ManagementOpcode(rawValue: 0x0015).name == "Get Connections")
    #expect(ManagementOpcode(rawValue: 0x003D).name == "Read Advertising Features")
  }
}
