extension Language {
  /// Something at the device that a person can operate: a button, or a setting or variable that has a knob.
  struct Control: LanguageObject {
    static let outline = Outline("a control", Self()) {
      [$0.label, $0.slot, $0.actions]
    }

    let label = Key.optional("label", .text(.plain), "what people call it; its name by default")
    let slot = Key.optional("set", .text(.identifier), "the setting or variable that it sets")
    let actions = ListKey.optional(
      "do", .actions, "what pressing it does, unless a rule with 'on: { control: NAME }' does something",
      excludes: ["set"])
  }
}
