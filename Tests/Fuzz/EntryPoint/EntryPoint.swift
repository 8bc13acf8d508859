import EventLoop
import Glibc

/// The target that this process fuzzes: `BLEMU_FUZZ_TARGET`.
private let target: FuzzTarget = {
  let name = getenv("BLEMU_FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget.named(name) else {
    let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
    print("fuzz: unknown target '\(name)' in BLEMU_FUZZ_TARGET; the targets are \(names)")
    exit(64)
  }
  return target
}()

/// Whether to print an explanation of each input.
private let explainsInput = getenv("BLEMU_FUZZ_TELL") != nil

/// Tries one input; libFuzzer's `main` calls this.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if explainsInput { print(target.describe(bytes)) }
  return EventLoop.run {
    do {
      try await target.run(bytes)
      return 0
    } catch {
      fatalError("broken guarantee: \(error)")
    }
  }
}
