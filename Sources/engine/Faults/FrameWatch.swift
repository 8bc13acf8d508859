import Behavior
import DeviceModel
import Framing

/// Finds the frames that the values of a stream complete.
struct FrameWatch {
  /// nil: each value is a frame.
  private var framer: Framer?

  init(_ stream: FaultStream, of device: PeripheralDefinition) {
    framer = device.framing(of: stream).map { Framer($0) }
  }

  /// Takes a value, and returns the frames that end in it.
  mutating func take(_ bytes: [UInt8], at now: Instant) -> [[UInt8]] {
    guard let outputs = framer?.append(bytes, at: now) else { return [bytes] }
    return outputs.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
  }
}

extension PeripheralDefinition {
  /// How the values of a stream become frames; nil: each value is one.
  fileprivate func framing(of stream: FaultStream) -> FramingRule? {
    switch (stream.endpoint, stream.direction) {
    case (.characteristic(let index), .out): characteristics[index].sentFraming
    case (.characteristic(let index), .into):
      characteristics[index].canBeWritten ? characteristics[index].framing : nil
    case (.channel(let index), .out): channels[index].sentFraming
    case (.channel(let index), .into): channels[index].framing
    case (.layer, .into): framing(of: stream.endpoint)
    case (.layer, .out), (.sought, _): nil  // no fault concerns what centrals have
    case (.wire, .into): wire.framing
    case (.wire, .out): nil
    }
  }
}
