import BlueZ
import BlueZLimits
import Conformance
import DeviceModel
import EventLoop
import Exact
import Glibc
import Peripheral

// Runs the conformance checks on a transport. The device is on the first adapter, a central on each of the others:
//
//     transport-conformance bluez hci0 hci1 hci2
//
// Prints one line per check. The status is 1 if a check fails.
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 4, let subject = subject(arguments[0], on: Array(arguments[1...])) else {
  print("usage: transport-conformance bluez|exact ADAPTER CENTRAL CENTRAL")
  exit(64)
}

/// The transport with a name; nil: there is none.
func subject(_ name: String, on adapters: [String]) -> TransportUnderTest? {
  let connect:
    @EventLoop @Sendable (any Transport, Int, AttributeTable) async throws -> any ConformanceCentral = {
      _, number, table in
      try await RadioCentral.connect(on: adapters[1 + number], to: adapters[0], mtu: 100, expecting: table)
    }
  switch name {
  case "bluez":
    let addresses = BlueZVersion.installed.map { $0 >= .addressesCentrals } ?? false
    return TransportUnderTest(
      name: name, abilities: addresses ? [.takesTwoCentrals, .sendsToOne] : [.takesTwoCentrals],
      makeTransport: { BlueZTransport(.named(adapters[0])) }, connect: connect)
  case "exact":
    return TransportUnderTest(
      name: name, abilities: [.tellsWriteKind, .takesTwoCentrals, .sendsToOne, .sendsUnasked, .keepsOrder],
      makeTransport: { HostTransport(.named(adapters[0])) }, connect: connect)
  default: return nil
  }
}

let status = EventLoop.run {
  var status: Int32 = 0
  for check in ConformanceCheck.all {
    guard check.applies(to: subject) else {
      print("skipped \(check.name)")
      continue
    }
    do {
      try await check.run(on: subject)
      print("ok      \(check.name)")
      fflush(nil)
    } catch {
      status = 1
      print("FAILED  \(check.name)\n        \(error)")
    }
  }
  return status
}
exit(status)
