import BlueZ
import Conformance
import EventLoop
import Glibc

// Runs the conformance checks on BlueZ. The device is on the first adapter, a central on each of the others:
//
//     transport-conformance hci0 hci1 hci2
//
// Prints one line per check. The status is 1 if a check fails.
let adapters = Array(CommandLine.arguments.dropFirst())
guard adapters.count == 3 else {
  print("usage: transport-conformance ADAPTER CENTRAL CENTRAL")
  exit(64)
}

let bluez = TransportUnderTest(
  name: "BlueZ", abilities: [.takesTwoCentrals],
  makeTransport: { BlueZTransport(.named(adapters[0])) },
  connect: { _, number, table in
    try await RadioCentral.connect(on: adapters[1 + number], to: adapters[0], mtu: 100, expecting: table)
  })

let status = EventLoop.run {
  var status: Int32 = 0
  for check in ConformanceCheck.all {
    guard check.applies(to: bluez) else {
      print("skipped \(check.name)")
      continue
    }
    do {
      try await check.run(on: bluez)
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
