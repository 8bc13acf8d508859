@testable import Framing

func checksum(_ name: String) -> Checksum {
  Checksum.named(name)!
}

extension FramerOutput {
  var bytes: [UInt8] {
    switch self {
    case .frame(let bytes), .discarded(let bytes, _): bytes
    }
  }

  var isFrame: Bool {
    if case .frame = self { true } else { false }
  }
}

extension [FramerOutput] {
  /// Neighbours that were discarded for one reason, put together: a stream torn within garbage reports the
  /// garbage in as many pieces as it came.
  var coalesced: [FramerOutput] {
    reduce(into: []) { outputs, output in
      if case .discarded(let bytes, let reason) = output,
        case .discarded(let before, reason: reason)? = outputs.last
      {
        outputs[outputs.count - 1] = .discarded(before + bytes, reason: reason)
      } else {
        outputs.append(output)
      }
    }
  }
}
