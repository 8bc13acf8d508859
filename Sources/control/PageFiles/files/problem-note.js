// Says why a request failed, at the place where it was made.

import { el, freshID } from "./dom.js";
import { announce } from "./announce.js";

export class ProblemNote {
  element = el("p", { class: "problem", hidden: true, id: freshID("problem"), data: { problem: "" } });

  show(error) {
    this.element.classList.remove("warning");
    this.element.replaceChildren(error.message, ...(error.hint ? [el("span", { class: "hint" }, error.hint)] : []));
    this.element.hidden = false;
    announce(`Error: ${error.message}`);
  }

  /** A warning: the request was done, but perhaps not as the person expects. */
  #warn(sentence) {
    this.element.replaceChildren(sentence);
    this.element.classList.add("warning");
    this.element.hidden = false;
    announce(`Done, but: ${sentence}`);
  }

  clear() {
    this.element.replaceChildren();
    this.element.hidden = true;
  }

  /** Shows the error or the warnings that a request ends with. Returns its answer; undefined after an error. */
  async watch(request) {
    try {
      const answer = await request;
      if (answer?.warnings?.length) this.#warn(answer.warnings.join("; "));
      else this.clear();
      return answer;
    } catch (error) {
      this.show(error);
      return undefined;
    }
  }
}

/** An input for words that the device reads, with the mistakes in them. */
export function wordInput(problem, attributes) {
  return el("input", {
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    class: "mono",
    "aria-describedby": problem.element.id,
    ...attributes,
  });
}
