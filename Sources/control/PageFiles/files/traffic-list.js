// A long list; only its visible rows are in the document.

import { el } from "./dom.js";
import { TrafficRow, rowDetail } from "./traffic-row.js";
import { onceAFrame } from "./timing.js";

const ROW = 26;
const BEYOND = 6;

export class TrafficList {
  #log;
  #rows = [];
  #body = el("div", { class: "traffic-body", role: "presentation" });
  #detail = null;
  #open = null;
  #selected = null;
  #pattern = null;
  isFollowing = true;
  element = el(
    "div",
    { class: "traffic-list", id: "traffic-list", role: "listbox", tabindex: 0, "aria-label": "Traffic" },
    this.#body,
  );
  /** Called when it begins or ceases to follow the end. */
  onFollow = () => {};
  render = onceAFrame(() => this.#render());

  /** @param {(message: string) => string} templateOf the template of a message */
  constructor(log, templateOf, signal) {
    this.#log = log;
    this.templateOf = templateOf;
    this.element.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.element.addEventListener("click", (event) => this.#clicked(event));
    this.element.addEventListener("keydown", (event) => this.#key(event));
    const observer = new ResizeObserver(() => this.render());
    observer.observe(this.element);
    signal.addEventListener("abort", () => observer.disconnect());
  }

  set pattern(pattern) {
    this.#pattern = pattern;
    if (this.#open) this.#showDetail(this.#open);
    this.render();
  }

  /** Rows at the beginning are gone; the visible ones keep their place. */
  dropped(count) {
    if (!this.isFollowing && count > 0) this.element.scrollTop -= count * ROW;
    if (this.#open && this.#log.shown[0]?.sequence > this.#open.sequence) this.#close();
  }

  follow() {
    this.isFollowing = true;
    this.onFollow();
    this.render();
  }

  /** Opens the event of this number, of the device's present run; false if it is not shown. */
  reveal(number) {
    const index = this.#log.shown.findLastIndex((entry) => entry.event.number === number);
    if (index < 0) return false;
    this.#ceaseToFollow();
    this.#selected = this.#log.shown[index];
    this.#showDetail(this.#selected);
    this.#render();
    this.element.scrollTop = Math.max(0, (index - 2) * ROW);
    this.render();
    return true;
  }

  #ceaseToFollow() {
    if (!this.isFollowing) return;
    this.isFollowing = false;
    this.onFollow();
  }

  // Places

  get #extra() {
    return this.#detail?.offsetHeight ?? 0;
  }

  get #openIndex() {
    return this.#open ? indexOf(this.#log.shown, this.#open) : -1;
  }

  #top(index, openIndex, extra) {
    return index * ROW + (openIndex >= 0 && index > openIndex ? extra : 0);
  }

  #render() {
    if (this.element.clientHeight === 0) return;
    const { shown } = this.#log;
    const [openIndex, extra] = [this.#openIndex, this.#extra];
    const height = shown.length * ROW + (openIndex >= 0 ? extra : 0);
    this.#body.style.height = `${height}px`;
    if (this.isFollowing) this.element.scrollTop = height;
    const { scrollTop, clientHeight } = this.element;
    const firstAt = openIndex >= 0 && scrollTop > (openIndex + 1) * ROW ? Math.max(
      openIndex,
      Math.floor((scrollTop - extra) / ROW),
    ) : Math.floor(scrollTop / ROW);
    const first = Math.max(0, firstAt - BEYOND);
    const last = Math.min(shown.length, first + Math.ceil(clientHeight / ROW) + 2 * BEYOND);
    this.#place(shown, first, last, openIndex, extra);
    if (this.#detail) {
      this.#detail.hidden = openIndex < 0;
      this.#detail.style.transform = `translateY(${(openIndex + 1) * ROW}px)`;
    }
  }

  #place(shown, first, last, openIndex, extra) {
    while (this.#rows.length < last - first) {
      const row = new TrafficRow();
      row.element.id = `traffic-row-${this.#rows.length}`;
      this.#rows.push(row);
      this.#body.append(row.element);
    }
    this.#rows.forEach((row, offset) => {
      const index = first + offset;
      row.element.hidden = index >= last;
      if (index >= last) return void (row.entry = null);
      row.fill(shown[index], this.#pattern, this.#log.hasManyCentrals);
      row.element.style.transform = `translateY(${this.#top(index, openIndex, extra)}px)`;
      row.element.setAttribute("aria-selected", String(shown[index] === this.#selected));
      row.element.setAttribute("aria-setsize", shown.length);
      row.element.setAttribute("aria-posinset", index + 1);
      row.element.classList.toggle("open", index === openIndex);
      if (shown[index] === this.#selected) this.element.setAttribute("aria-activedescendant", row.element.id);
    });
  }

  // Input

  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < ROW;
    if (isAtEnd !== this.isFollowing && (isAtEnd || scrollTop < this.lastTop)) {
      this.isFollowing = isAtEnd;
      this.onFollow();
    }
    this.lastTop = scrollTop;
    this.render();
  }

  #clicked(event) {
    const row = this.#rows.find((it) => it.element.contains(event.target) && it.entry);
    if (row && getSelection().isCollapsed) this.#toggle(row.entry);
  }

  #toggle(entry) {
    this.#selected = entry;
    this.#ceaseToFollow();
    if (this.#open === entry) this.#close();
    else this.#showDetail(entry);
    this.#render();
    this.#bringDetailIntoView();
  }

  /** Scrolls down so far that the detail is visible, but not past its row. */
  #bringDetailIntoView() {
    const index = this.#openIndex;
    if (index < 0) return;
    const end = (index + 1) * ROW + this.#extra;
    const wanted = Math.min(index * ROW, end - this.element.clientHeight);
    if (wanted > this.element.scrollTop) this.element.scrollTop = wanted;
  }

  #showDetail(entry) {
    this.#close();
    this.#open = entry;
    this.#detail = rowDetail(entry, this.templateOf(entry.message), this.#pattern);
    this.#body.append(this.#detail);
  }

  #close() {
    this.#open = null;
    this.#detail?.remove();
    this.#detail = null;
  }

  #key(event) {
    const { shown } = this.#log;
    const page = Math.max(1, Math.floor(this.element.clientHeight / ROW) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps) this.#select(steps[event.key]);
    else if ((event.key === "Enter" || event.key === " ") && this.#selected) this.#toggle(this.#selected);
    else if (event.key === "Escape" && this.#open) this.#close();
    else return;
    event.preventDefault();
    if (shown.length > 0) this.render();
  }

  #select(step) {
    const { shown } = this.#log;
    if (shown.length === 0) return;
    const present = this.#selected ? indexOf(shown, this.#selected) : shown.length;
    const index = Math.min(shown.length - 1, Math.max(0, present + step));
    this.#selected = shown[index];
    this.isFollowing = index === shown.length - 1;
    this.onFollow();
    const top = this.#top(index, this.#openIndex, this.#extra);
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + ROW > scrollTop + clientHeight) this.element.scrollTop = top + ROW - clientHeight;
  }
}

/** The index of an entry among those in the order of their sequence; -1 if there is none. */
function indexOf(entries, entry) {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle].sequence < entry.sequence) low = middle + 1;
    else high = middle;
  }
  return entries[low] === entry ? low : -1;
}
