enum NordicHeader {
  static func unwrap(_ bytes: ArraySlice<UInt8>) -> (CapturedPacket.Layer, ArraySlice<UInt8>)? { nil }
}
