// Which events the traffic shows: by group, attribute and message, and by a text that they contain.

/** @param {{groups: Set<string>, attribute: string, message: string, search: string}} choice */
export function filterFor({ groups, attribute, message, search }) {
  const hasSearch = searcher(search);
  return (entry) => {
    if (entry.event.event === "gap") return true;
    if (attribute && entry.place !== attribute) return false;
    if (message && entry.message !== message) return false;
    return groups.has(entry.group) && hasSearch(entry);
  };
}

/** A search finds text in either case, and bytes in hex with or without spaces. */
function searcher(search) {
  const text = search.trim().toLowerCase();
  if (text === "") return () => true;
  const hex = hexPattern(text);
  return (entry) => haystack(entry).includes(text) || (hex !== null && hex.test(entry.value));
}

/** The bytes of a search as they are in values; null if it is not hex. */
export function hexPattern(search) {
  const digits = search.replaceAll(/\s/g, "");
  if (!/^([0-9a-f]{2})+$/i.test(digits)) return null;
  return new RegExp(digits.match(/../g).join(" "), "i");
}

function haystack(entry) {
  entry.haystack ??= [
    entry.kind,
    entry.place,
    entry.message,
    entry.detail,
    entry.words,
    entry.text,
    entry.central,
  ].join("\n").toLowerCase();
  return entry.haystack;
}
