import BlemuJSON
import Glibc
import TestSupport
import Testing

@testable import WebServer

/// The face of a device.
@Suite struct FaceTests {
  private static let svg = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"

  /// The answer where the device describes itself so.
  private func face(_ member: String) async throws -> Browser.Answer {
    let long = String(repeating: " ", count: 1 << 20) + Self.svg
    let server = try await TestServer(files: ["a.svg": Self.svg, "a.txt": Self.svg, "long.svg": long])
    let folder = server.folder.path
    mkdir(folder + "folder.svg", 0o755)
    mkfifo(folder + "pipe.svg", 0o644)
    let result =
      "{\"name\": \"a\"\(member.split(separator: "FOLDER/", omittingEmptySubsequences: false).joined(separator: folder))}"
    let device = await TestDevice(at: folder + "a") { connection, request in
      guard (try? JSONValue(parsing: request))?["method"] == "describe" else { return }
      connection.send(Array("{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": \(result)}\n".utf8))
    }
    let answer = try server.answer("/face?device=\(folder)a")
    withExtendedLifetime(device) {}
    await server.close()
    return answer
  }

  @Test func `an SVG next to the definition is served, and may do nothing`() async throws {
    let answer = try await face(#", "face": "FOLDER/a.svg""#)
    #expect(answer.status == 200)
    #expect(answer.body == Self.svg)
    #expect(answer.headers["content-type"] == "image/svg+xml")
    #expect(answer.headers["content-security-policy"] == SecurityHeaders.facePolicy)
  }

  @Test(arguments: [
    "", #", "face": null"#, #", "face": 7"#, #", "face": """#, #", "face": "FOLDER/none.svg""#,
    #", "face": "FOLDER/a.txt""#, #", "face": "FOLDER/folder.svg""#,
    #", "face": "FOLDER/pipe.svg""#, #", "face": "/dev/zero.svg""#, #", "face": "a.svg""#,
  ])
  func `what is no face is not served`(member: String) async throws {
    #expect(try await face(member).status == 404)
  }

  @Test func `a page can say that a face is too large`() async throws {
    let answer = try await face(#", "face": "FOLDER/long.svg""#)
    #expect(answer.status == 413)
    #expect(
      answer.body == "it has \((1 << 20) + Self.svg.utf8.count) bytes, and at most 1048576 are possible\n")
  }

  @Test func `a device that ends has no face`() async throws {
    let server = try await TestServer()
    let device = await TestDevice(at: server.folder.path + "a") { _, _ in }
    let browser = Browser(server.port)
    browser.request("GET", "/face?device=\(server.folder.path)a", server.own)
    // The other answer shows that the first request has arrived, and that it keeps nobody waiting.
    #expect(try server.answer("/devices").status == 200)
    await device.end()
    #expect(try browser.answer().status == 404)
    await server.close()
  }
}
