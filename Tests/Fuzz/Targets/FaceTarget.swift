@testable import Definitions

extension FuzzTarget {
  /// Any text as the face of a device.
  static let face = FuzzTarget(
    name: "face",
    run: { bytes in
      let source = SourceText(name: "face.svg", text: String(decoding: bytes, as: UTF8.self))
      let face = FaceFile(source, of: Subject.everything.definition!)
      for diagnostic in face.diagnostics {
        let line = diagnostic.range.start.line
        try guarantee(
          (1...source.lineCount).contains(line), "a mistake is in line \(line) of \(source.lineCount)")
      }
      try guarantee(face.diagnostics.isEmpty == face.report().isEmpty, "the report leaves out a mistake")
      _ = FaceNames.read(in: source.text, NameScope(of: Subject.everything.definition!))
    },
    describe: {
      FaceFile(
        SourceText(name: "face.svg", text: String(decoding: $0, as: UTF8.self)),
        of: Subject.everything.definition!
      ).report()
    })
}
