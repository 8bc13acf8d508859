import Definitions
import EventLoop
import Exact
import Glibc
import Kernel
import RoundTrip
import TestBeds
import TestSupport

// Records the transcripts of bundled devices on exact, learns the recordings, and runs the transcripts with what was learnt in the
// place of the devices; all of them unless some are named:
//
//     round-trip hci0 hci1 [NAME…]
//
// The device is on the first adapter, the central on the second. Prints a row of the table per device, and its failures.
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else {
  print("usage: round-trip ADAPTER CENTRAL [NAME…]")
  exit(64)
}

let names = arguments.count > 2 ? Array(arguments[2...]) : library.names
let status = EventLoop.run {
  var status: Int32 = 0
  for name in names {
    let central = HostCentral(CentralSeat(.named(arguments[1])))
    let testBed = AirTestBed(central: central) { HostTransport(.named(arguments[0])) }
    do {
      print(try await RoundTrip(of: name, on: testBed, onAir: true))
      fflush(nil)
    } catch {
      status = 1
      print("\(name) cannot be learnt: \(error)")
    }
  }
  return status
}
exit(status)
