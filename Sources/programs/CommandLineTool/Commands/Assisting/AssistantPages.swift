import BlemuControl
import BlemuJSON
import Definitions

/// The files of the bundled definitions and their documentation, as resources for assistants.
struct AssistantPages {
  /// The beginning of their addresses. Links between pages are relative, and so lead from one resource to another.
  static let scheme = "blemu:///"

  /// The folder of the bundled definitions; nil if there is none.
  let folder: String?

  /// What an assistant may choose from: the pages, the chapters of the language, the guide, and the schema of definitions.
  var all: [JSONValue] {
    ["", "language/", "guide/"].flatMap { folder in
      FileSystem.entries(of: "\(self.folder ?? "")/\(folder)").map { folder + $0 }.filter {
        $0.hasSuffix(".md") || $0.hasSuffix(".json")
      }
    }.map(description)
  }

  /// For the other files.
  static let template: JSONValue = [
    "uriTemplate": .string(scheme + "{group}/{device}/{file}"), "name": "device",
    "description": .string(
      "A file of a bundled device: its README.md, its definition or its transcript, as in \(scheme)serial-modules/hm-10/hm-10.yaml"
    ),
  ]

  private func description(of path: String) -> JSONValue {
    let text = (try? TextFile.read("\(folder ?? "")/\(path)")) ?? ""
    let isPage = path.hasSuffix(".md")
    return [
      "uri": .string(Self.scheme + path), "name": .string(path),
      "title": .string(isPage ? MarkdownPage.title(of: text) : path),
      "description": .string(isPage ? MarkdownPage.summary(of: text) : "The JSON Schema of definitions"),
      "mimeType": .string(Self.type(of: path)),
    ]
  }

  /// The content of a resource, for its reader.
  func content(of uri: String) throws(ControlError) -> JSONValue {
    let path = uri.hasPrefix(Self.scheme) ? String(uri.dropFirst(Self.scheme.count)) : uri
    guard let folder, !path.split(separator: "/").contains(".."),
      let text = try? TextFile.read("\(folder)/\(path)")
    else {
      throw ControlError(
        .notPossible, "there is no page '\(uri)'", hint: "\(Self.scheme)guide/README.md leads to the others")
    }
    return ["uri": .string(uri), "mimeType": .string(Self.type(of: path)), "text": .string(text)]
  }

  private static func type(of path: String) -> String {
    switch path.split(separator: ".").last {
    case "md": "text/markdown"
    case "json": "application/schema+json"
    case "yaml": "application/yaml"
    default: "text/plain"
    }
  }
}
