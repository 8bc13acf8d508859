import BusSupport
import DBus
import EventLoop
import Glibc
import TestSupport
import Testing

/// Values of every type, and error-prone containers.
private let values: [DBusValue] = [
  .byte(255), .bool(true), .bool(false), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max),
  .int64(.min), .uint64(.max), .double(-0.1), .string(""), .string("Grüße 🦦"), .objectPath("/org/bluez/hci0"),
  .signature("a{sv}"), .signature(""), .bytes([]), .bytes([0, 1, 255]),
  .bytes([UInt8](repeating: 7, count: 1 << 20)), .strings([]), .strings(["a", ""]),
  .array(of: "u", []), .array(of: "ay", [.bytes([]), .bytes([1])]), .array(of: "a{sv}", [.dictionary([])]),
  .structure([.byte(1), .structure([.string("in"), .bytes([2])])]), .variant(.variant(.variant(.byte(1)))),
  .variant(.array(of: "{oa{sa{sv}}}", [])), ["a": true, "b": .uint16(2), "c": .bytes([3]), "d": [:]],
  .array(of: "{yv}", [.dictEntry(key: .byte(1), value: .variant("x"))]),
  .array(of: "(us)", [.structure([.uint32(1), "one"])]),
]

@EventLoop
@Suite(.timeLimit(.minutes(10)))
struct ValueTests {
  @Test func `every type survives the way over the bus and back`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let registration = pair.service.export("/test") { call in
      var reader = call.reader()
      do throws(DBusError) {
        let value = try reader.value()
        call.reply([value])
      } catch {
        call.fail(error)
      }
    }
    for value in values { #expect(try await pair.call("Echo", [value]) == [value]) }
    #expect(
      try await pair.call("Echo", [.bytes(Array(repeating: 1, count: 16 << 20))])[0].bytes?.count == 16 << 20)
    _ = consume registration
  }

  @Test(
    arguments: [
      .string("a\0b"), .structure([]), .dictEntry(key: "a", value: "b"), .array(of: "s", [.byte(1)]),
      .array(of: "su", []), .variant(.structure([])), .variant(.dictEntry(key: "a", value: "b")),
      .signature("{sv}"), .array(of: "", []), ["a\0": true],
      (0..<70).reduce(.byte(1)) { value, _ in .variant(value) },
    ] as [DBusValue])
  func `a value that cannot be sent is refused`(value: DBusValue) async throws {
    let failure = await error { () async throws(DBusError) in
      _ = try DBusMessage.signal(path: "/", interface: "test.Interface", member: "Told", arguments: [value])
    }
    guard case .invalid = failure else {
      Issue.record("\(value) gave \(String(describing: failure))")
      return
    }
  }

  @Test func `a reply that cannot be sent becomes an error`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let registration = pair.service.export("/test") { $0.reply([.array(of: "s", [.byte(1)])]) }
    let failure = await error { () async throws(DBusError) in _ = try await pair.call("Ask") }
    #expect(failure?.name == ErrorName.invalidArguments)
    _ = consume registration
  }

  @Test(arguments: ["", "a", "//", "/a/", "/a-b", "/ä", "/a\0"])
  func `a string that is not an object path is refused`(string: String) {
    #expect(ObjectPath(string) == nil)
  }

  @Test func `accessors look through variants`() {
    let value: DBusValue = [
      "Powered": true, "MTU": .uint16(23), "UUIDs": .strings(["FFE0"]), "Path": .objectPath("/"),
    ]
    let dictionary = DBusValue.variant(value).dictionary
    #expect(dictionary?["Powered"]?.bool == true)
    #expect(dictionary?["MTU"]?.int == 23)
    #expect(dictionary?["UUIDs"]?.strings == ["FFE0"])
    #expect(dictionary?["Path"]?.objectPath == "/")
    #expect(dictionary?["Path"]?.string == nil)
  }

  @Test func `a WriteValue call is read without a dictionary`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let writes = Arrivals<String>()
    let registration = pair.service.export("/test") { call in
      var reader = call.reader()
      var text = ""
      do throws(DBusError) {
        text = "\(try reader.bytes())"
        try reader.entries { (key, value) throws(DBusError) in
          if key.holds("device") {
            try value.objectPath {
              text += " \(String(decoding: $0.withUnsafeBufferPointer(Array.init), as: UTF8.self))"
            }
          } else if key.holds("offset") {
            text += " \(try value.uint16())"
          } else if key.holds("type") {
            text += " \(try value.string())"
          }
        }
        writes.add(text)
        call.reply()
      } catch {
        call.fail(error)
      }
    }
    let options: DBusValue = [
      "offset": .uint16(2), "link": "LE", "device": .objectPath("/d"), "mtu": .uint16(23), "type": "request",
    ]
    #expect(try await pair.call("WriteValue", [.bytes([1, 2]), options]) == [])
    #expect(writes.values == ["[1, 2] 2 /d request"])
    _ = try await pair.call("WriteValue", [.bytes([]), [:]])
    let wrong = await error { () async throws(DBusError) in
      _ = try await pair.call("WriteValue", [.bytes([]), ["offset": "x"]])
    }
    #expect(wrong?.message == "expected 'q', found 's'")
    let missing = await error { () async throws(DBusError) in _ = try await pair.call("WriteValue") }
    #expect(missing?.message == "expected 'a', found ''")
    _ = consume registration
  }
}

@EventLoop
@Suite(.timeLimit(.minutes(10)), .serialized)
struct DescriptorTests {
  @Test func `a descriptor travels in a reply and is closed with its value`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let ours: FileDescriptor
    let theirs: Holder
    do {
      let pipe = try Pipe()
      ours = pipe.read
      theirs = Holder(pipe.write)
    }
    let registration = pair.service.export("/test") { call in
      if let descriptor = theirs.take() { call.reply(descriptor, 517) }
    }
    do {
      let reply = try await pair.call("AcquireNotify")
      #expect(reply.last == .uint16(517))
      let received = try #require(reply.first?.fileDescriptor)
      #expect(send(ours.rawValue, "hi", 2, 0) == 2)
      var buffer = [UInt8](repeating: 0, count: 8)
      #expect(recv(received.rawValue, &buffer, 8, 0) == 2 && buffer[0] == UInt8(ascii: "h"))
    }
    #expect(ours.hasEnded, "the other end is closed once the reply is gone")
    _ = consume registration
  }
}

/// Hands a descriptor out once.
@EventLoop
final class Holder {
  private var descriptor: FileDescriptor?
  init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }
  func take() -> FileDescriptor? {
    defer { descriptor = nil }
    return descriptor
  }
}
