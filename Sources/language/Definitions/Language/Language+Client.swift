extension Language {
  struct Sought: LanguageObject {
    static let outline = Outline("a characteristic of the central", Self()) { [$0.service, $0.uuid] }

    let service = Key.required(
      "service", .text(.uuid), "the primary service that has it, as in 'service: 1805'")
    let uuid = Key.required("uuid", .text(.uuid), "as in 'uuid: 2A2B'")
  }
}
