import EventLoop
import Glibc

/// The target that this process fuzzes: `BLEMU_FUZZ_TARGET`.
private let target: FuzzTarget = {
  let name = getenv("BLEMU_FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget.named(name) else {
    let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
    print("fuzz: BLEMU_FUZZ_TARGET is '\(name)'; one of \(names)")
    exit(64)
  }
  return target
}()

/// Whether each input is printed as a person reads it.
private let isTelling = getenv("BLEMU_FUZZ_TELL") != nil

/// What libFuzzer calls, from its own `main`, for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if isTelling { print(target.describe(bytes)) }
  return EventLoop.run {
    do {
      try await target.run(bytes)
      return 0
    } catch {
      fatalError("broken promise: \(error)")
    }
  }
}
