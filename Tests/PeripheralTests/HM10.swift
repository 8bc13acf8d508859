import TestSupport

@testable import Peripheral

/// FFE1 of hm-10-cable, by index.
let serial = {
  guard let index = try? bundled("hm-10-cable").characteristics.firstIndex(where: { $0.id == "FFE1" }) else {
    preconditionFailure("hm-10-cable has FFE1")
  }
  return index
}()
