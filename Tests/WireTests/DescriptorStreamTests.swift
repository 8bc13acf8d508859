import EventLoop
import Glibc
import Testing

@testable import Wire

/// A stream over pipes, as for standard input and output.
@Suite(.timeLimit(.minutes(10))) struct DescriptorStreamTests {
  let port: DescriptorStream
  let host: RecordingHost
  /// Bytes written here are the stream's input.
  let source: TestDescriptor
  /// The stream's output is read here.
  let sink: TestDescriptor

  @EventLoop init() {
    host = RecordingHost()
    signal(SIGPIPE, SIG_IGN)
    let inward = makePipe()
    let outward = makePipe()
    port = DescriptorStream(input: inward.output, output: outward.input, name: "standard output")
    port.host = host
    source = TestDescriptor(dup(inward.input.rawValue))
    sink = TestDescriptor(dup(outward.output.rawValue))
  }

  @EventLoop func end() {
    port.close()
    source.close()
    sink.close()
  }

  @EventLoop @Test func `bytes pass in both directions`() async {
    port.isReading = true
    sink.startReading()
    source.write([0, 0x0A, 0xFF])
    #expect(await host.bytes(3) == [0, 0x0A, 0xFF])
    port.write([0x1A, 0x03])
    #expect(await sink.received.bytes(2) == [0x1A, 0x03])
    end()
  }

  @EventLoop @Test func `bytes wait in the pipe while the stream does not read`() async {
    let burst = numberedBytes(200_000)
    source.write(burst)
    #expect(host.bytes == [])
    port.isReading = true
    #expect(await host.bytes(burst.count) == burst)
    end()
  }

  /// A full pipe of 64 KiB must not block the loop's only thread.
  @EventLoop @Test func `an unread pipe blocks nothing, and the waiting bytes stay complete and in order`()
    async
  {
    let burst = numberedBytes(500_000)
    for start in stride(from: 0, to: burst.count, by: 512) {
      port.write(Array(burst[start..<min(start + 512, burst.count)]))
    }
    #expect(port.backlog > 400_000)
    #expect(host.progress == 0)
    sink.startReading()
    #expect(await sink.received.bytes(burst.count) == burst)
    #expect(port.backlog == 0)
    #expect(host.progress > 0)
    #expect(host.warnings == [])
    end()
  }

  @EventLoop @Test func `bytes beyond 1 MiB are dropped, with one warning until the pipe is read`() async {
    let warning =
      "wire side: 1048576 bytes wait for a reader of standard output; blemu drops more until it reads"
    let block = [UInt8](repeating: 0x55, count: 1 << 16)
    for _ in 0..<20 { port.write(block) }
    #expect(host.warnings == [warning])
    sink.startReading()
    // One block is in the pipe, sixteen are waiting.
    let kept = await sink.received.bytes(17 * block.count)
    #expect(kept.count == 17 * block.count)
    port.write([1, 2, 3])
    #expect(await sink.received.bytes(kept.count + 3) == kept + [1, 2, 3])
    #expect(host.warnings == [warning])
    for _ in 0..<20 { port.write(block) }
    #expect(await host.warnings(2) == [warning, warning])
    end()
  }

  @EventLoop @Test func `one warning reports that the reader has closed`() async {
    let port = DescriptorStream(input: source.descriptor, output: makePipe().input, name: "standard output")
    port.host = host
    port.write([1])
    port.write([2])
    #expect(
      await host.warnings(1) == [
        "wire side: cannot write to standard output: Broken pipe; blemu drops all further bytes for it"
      ])
    port.close()
    end()
  }

  @EventLoop @Test func `one warning reports that the reader has closed while bytes wait`() async {
    var pipe: Pipe? = makePipe()
    let port = DescriptorStream(input: source.descriptor, output: pipe!.input, name: "standard output")
    port.host = host
    for _ in 0..<10 { port.write([UInt8](repeating: 0, count: 20_000)) }
    #expect(host.warnings == [])
    pipe = nil
    #expect(await host.warnings(1).count == 1)
    port.write([1])
    #expect(host.warnings.count == 1)
    port.close()
    end()
  }

  @EventLoop @Test func `the end of the input is reported once`() async {
    var pipe: Pipe? = makePipe()
    let port = DescriptorStream(input: pipe!.output, output: sink.descriptor, name: "standard output")
    port.host = host
    port.onEnd = { [host] in host.warn("ended") }
    port.isReading = true
    #expect(write(pipe!.input.rawValue, [1, 2] as [UInt8], 2) == 2)
    pipe = nil
    #expect(await host.warnings(1) == ["ended"])
    #expect(host.bytes == [1, 2])
    port.isReading = false
    port.isReading = true
    await oneTurn()
    #expect(host.warnings == ["ended"])
    port.close()
    end()
  }
}
