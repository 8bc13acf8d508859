import Captures

/// The value of `--capture`: a new file, in the format of its extension.
enum CaptureOption {
  static func parse(_ path: String?) throws(CommandError) -> (path: String, format: WrittenFormat)? {
    guard let path else { return nil }
    guard let format = WrittenFormat(path: path) else { throw .unknownRecordingFormat(path: path) }
    return (path, format)
  }
}
