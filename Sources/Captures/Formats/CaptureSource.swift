/// Where the bytes of a recording come from: a file as it is, or what is compressed in it.
struct CaptureSource {
  let stream: ByteStream
  /// What surrounds the format, as in `, gzip`.
  var wrapping = ""
  var notes: [CaptureNote] = []

  init(_ bytes: any StoredBytes) throws(CaptureFileError.Reason) {
    stream = ByteStream(StoredPart(bytes, 0..<bytes.count))
  }
}
