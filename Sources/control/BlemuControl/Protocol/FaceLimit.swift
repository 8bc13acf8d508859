/// What the page draws of a device's face.
package enum FaceLimit {
  /// The largest file, bytes.
  package static let size = 1 << 20
}
