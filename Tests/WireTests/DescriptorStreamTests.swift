import EventLoop
import Glibc
import Testing

@testable import Wire

/// The port of standard input and output, over pipes in their place.
@Suite(.timeLimit(.minutes(10))) struct DescriptorStreamTests {
  let port: DescriptorStream
  let host: RecordingHost
  /// What is written here comes in at the port.
  let source: TestDescriptor
  /// What goes out at the port is read here.
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

  @EventLoop @Test func `bytes pass both ways`() async {
    port.isReading = true
    sink.startReading()
    source.write([0, 0x0A, 0xFF])
    #expect(await host.bytes(3) == [0, 0x0A, 0xFF])
    port.write([0x1A, 0x03])
    #expect(await sink.received.bytes(2) == [0x1A, 0x03])
    end()
  }

  @EventLoop @Test func `bytes wait in the pipe while the port does not read`() async {
    let burst = numberedBytes(200_000)
    source.write(burst)
    #expect(host.bytes == [])
    port.isReading = true
    #expect(await host.bytes(burst.count) == burst)
    end()
  }

  /// The pipe holds 64 KiB and blocks then: the loop's one thread would stand still.
  @EventLoop @Test func `a pipe that nobody reads holds nothing up, and what waits is whole and in order`()
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

  @EventLoop @Test func `past a mebibyte bytes are dropped, which is said once until somebody reads`() async {
    let warning =
      "wire side: nobody reads standard output, and 1048576 bytes wait; bytes are dropped until somebody does"
    let block = [UInt8](repeating: 0x55, count: 1 << 16)
    for _ in 0..<20 { port.write(block) }
    #expect(host.warnings == [warning])
    sink.startReading()
    // One block is in the pipe, sixteen wait.
    let kept = await sink.received.bytes(17 * block.count)
    #expect(kept.count == 17 * block.count)
    port.write([1, 2, 3])
    #expect(await sink.received.bytes(kept.count + 3) == kept + [1, 2, 3])
    #expect(host.warnings == [warning])
    for _ in 0..<20 { port.write(block) }
    #expect(await host.warnings(2) == [warning, warning])
    end()
  }

  @EventLoop @Test func `a reader that went away is said once`() async {
    let port = DescriptorStream(input: source.descriptor, output: makePipe().input, name: "standard output")
    port.host = host
    port.write([1])
    port.write([2])
    #expect(
      await host.warnings(1) == [
        "wire side: cannot write to standard output: Broken pipe; what is written there from now on is dropped"
      ])
    port.close()
    end()
  }

  @EventLoop @Test func `a reader that goes away while bytes wait is said once`() async {
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

  @EventLoop @Test func `the end of the input is said once`() async {
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
