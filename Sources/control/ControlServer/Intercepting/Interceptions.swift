import Behavior
import BlemuControl
import BlemuJSON
import Bluetooth
import DeviceModel
import EventLoop
import Peripheral
import Transcripts

/// A connected program that can be asked.
@EventLoop
package protocol InterceptingProgram: AnyObject {
  /// The number of its process; nil: it is unknown.
  var process: Int32? { get }
  func send(line: String?)
}

extension ControlSession: InterceptingProgram {}

/// The interceptions of programs: asks them about acts of centrals, and gives their answers to the device.
@EventLoop
package final class Interceptions {
  /// The most interceptions that there can be at once.
  package nonisolated static let most = 100
  /// The most questions that are remembered, to say how late an answer is.
  private static let mostRemembered = 256

  private let control: DeviceControl
  private var programs: [Int: any InterceptingProgram] = [:]
  private var lastNumber = 0
  /// By the number in their id, including those that are over.
  private var questions: [Int: InterceptorQuestion] = [:]
  private var lastQuestion = 0

  package init(_ control: DeviceControl) { self.control = control }

  private var device: LivePeripheral { control.device.peripheral }

  // MARK: Methods

  package func add(
    _ parameters: JSONValue, of program: any InterceptingProgram
  ) throws(ControlError) -> JSONValue {
    let pattern = try control.interceptedPattern(parameters["what"]?.text ?? "")
    let time = try time(parameters["within"]?.wholeNumber ?? 1000)
    guard device.hasStarted else {
      throw ControlError(
        .notPossible, "the device has not started yet", hint: "try again once it is on the air")
    }
    guard programs.count < Self.most else {
      throw ControlError(
        .notPossible, "there are \(Self.most) interceptions already", hint: "end one with 'unintercept'")
    }
    lastNumber += 1
    let number = lastNumber
    programs[number] = program
    let note = program.process.map { " (process \($0))" } ?? ""
    device.report(.intercepted(number, .began(pattern.text)))
    if let remark = control.remark(onAnswersTo: pattern) { device.warn("intercept \(number): \(remark)") }
    device.add(
      Interceptor(
        number: number, note: note, time: time, takesParts: pattern.isAboutWrites,
        wants: { pattern.compare(with: $0) == .matches },
        ask: { [weak self, weak program] question in
          guard let self, let program else { return question.answer(.failed("has ended")) }
          ask(program, question)
        }))
    return ["intercept": .integer(number)]
  }

  private func time(_ milliseconds: Int) throws(ControlError) -> Duration {
    let (time, longest) = (Duration.milliseconds(milliseconds), device.limits.longestAnswer)
    guard time <= longest else {
      throw ControlError(
        .badParameters, "'within' is at most \(longest.wholeMilliseconds) on this transport",
        hint: "after that, the central gets an error instead of an answer")
    }
    return time
  }

  package func remove(
    _ parameters: JSONValue, of program: any InterceptingProgram
  ) throws(ControlError) -> JSONValue {
    let number = parameters["intercept"]?.wholeNumber ?? 0
    let own = programs.filter { $0.value === program }.keys.sorted()
    guard own.contains(number) else {
      let known = own.map { "\($0)" }.joined(separator: ", ")
      throw ControlError(
        .badParameters, "this connection has no interception \(number)",
        hint: own.isEmpty ? "it has none" : "known: \(known)")
    }
    end(number)
    return [:]
  }

  /// Ends all interceptions of a program, which has gone.
  package func end(of program: any InterceptingProgram) {
    for number in programs.filter({ $0.value === program }).keys.sorted() { end(number) }
  }

  private func end(_ number: Int) {
    programs[number] = nil
    device.removeInterceptor(number, because: "ended")
    questions = questions.filter { $0.value.interceptor.number != number }
    device.report(.intercepted(number, .ended))
  }
}

// MARK: Questions

extension Interceptions {
  private func ask(_ program: any InterceptingProgram, _ question: InterceptorQuestion) {
    lastQuestion += 1
    questions[lastQuestion] = question
    questions[lastQuestion - Self.mostRemembered] = nil
    let members = control.text.members(of: TrafficEvent(time: device.scheduler.now, kind: question.event))
    let head =
      "\"intercept\": \(question.interceptor.number), \"within\": \(question.time.wholeMilliseconds), "
    program.send(
      line:
        "{\"jsonrpc\": \"2.0\", \"id\": \"intercept-\(lastQuestion)\", \"method\": \"\(ControlMethod.question)\", "
        + "\"params\": {\(head)\(members)}}")
  }

  /// Takes an answer. The device ignores an answer that it does not expect.
  package func take(_ answer: ControlAnswer, from program: any InterceptingProgram) {
    let prefix = "intercept-"
    guard let id = answer.id.text, id.hasPrefix(prefix), let number = Int(id.dropFirst(prefix.count)),
      let question = questions[number], programs[question.interceptor.number] === program
    else {
      return device.warn("a program answered a question that was not asked: \(answer.id.line.prefix(80))")
    }
    questions[number] = nil
    let words = question.event.interceptedWords
    guard question.isOpen else {
      let lateness = question.lateness
      let problem =
        lateness > .zero ? "came \(lateness.wholeMilliseconds) ms late" : "came after the end of the question"
      let interceptor = question.interceptor
      return device.warn(
        "the answer of \(interceptor.name) to \(words) \(problem), so blemu ignores it\(interceptor.note)")
    }
    switch answer.outcome {
    case .error(let error):
      let message = error["message"]?.text ?? error.line
      question.answer(.failed("failed at \(words): \(message.prefix(500))"))
    case .result(let result):
      do throws(ControlError) {
        question.answer(try control.answer(result, to: question))
      } catch {
        let hint = error.hint.map { " (\($0))" } ?? ""
        question.answer(.failed("has answered \(words) wrongly: \(error.message)\(hint)"))
      }
    }
  }
}

// MARK: Words

extension DeviceControl {
  /// The events that an interception takes over.
  fileprivate func interceptedPattern(_ text: String) throws(ControlError) -> JournalPattern {
    let pattern: JournalPattern
    do { pattern = try parser.journalPattern(text) } catch { throw ControlError(error, in: text) }
    switch pattern.subject {
    case .write, .read(_, nil): return pattern
    case .read(let id, _):
      throw ControlError(
        .badParameters, "'\(text)': the program provides the value of a read",
        hint: "write 'read \(id)'")
    default:
      throw ControlError(
        .badParameters, "'\(text)' is neither a read nor a write of a central",
        hint: "a line with >, >!, >? or read")
    }
  }

  /// A remark if the transport answers a central before the program can; nil: it does not.
  fileprivate func remark(onAnswersTo pattern: JournalPattern) -> String? {
    guard case .write(let id, _, let kind) = pattern.subject, kind != .command,
      let written = definition.characteristics.first(where: { $0.id == id }),
      let remark = device.peripheral.limits.remark(onWritesTo: written)
    else { return nil }
    return "\(remark): the central gets no error and does not wait for the program"
  }

  /// Reads the result of an answer.
  fileprivate func answer(
    _ result: JSONValue, to question: InterceptorQuestion
  ) throws(ControlError) -> InterceptorAnswer {
    if let problem = ControlRequest.problem(with: result, as: ControlMethod.answerParameters, of: "an answer")
    {
      throw problem
    }
    guard result.members?.isEmpty == false else { return .goesOn }
    if let name = result["error"]?.text {
      guard result.members?.count == 1 else {
        throw ControlError(.badParameters, "it has an error and something else")
      }
      guard let error = ATTError(named: name) else {
        throw ControlError(
          .badParameters, "there is no ATT error '\(name)'",
          hint: "such as insufficient-authorization, or a code, as in 0x80")
      }
      return .refused(error)
    }
    let content = try content(result)
    if question.isRead {
      let longest = CharacteristicDefinition.maximumValueSize
      guard content.bytes.count <= longest else {
        throw ControlError(.badParameters, "a value has at most \(longest) bytes, not \(content.bytes.count)")
      }
      guard result["from"] == nil else {
        throw ControlError(.badParameters, "a read is answered, and nothing sent")
      }
      return .value(content.bytes, message: nil, from: question.place)
    }
    if let name = result["from"]?.text {
      return .value(content.bytes, message: content.message, from: try endpoint(named: name))
    }
    guard content.bytes.isEmpty || definition.canSend(from: question.place) else {
      throw ControlError(
        .badParameters, "'\(definition.name(of: question.place))' neither notifies nor indicates",
        hint: "name another characteristic as 'from'")
    }
    return .value(content.bytes, message: content.message, from: question.place)
  }
}

extension PeripheralDefinition {
  fileprivate func canSend(from place: Rule.Endpoint) -> Bool {
    place == .wire ? hasWireSide : senders.contains(place)
  }
}

extension JournalPattern {
  /// Whether single writes are meant where several may come to a message: without a value, or by their kind.
  fileprivate var isAboutWrites: Bool {
    switch subject {
    case .write(_, nil, _), .write(_, _, _?): true
    default: false
    }
  }
}
