// Announces events to a screen reader, in few, short sentences.

let last = "";
let lastTime = 0;

/** Says a sentence politely. A repetition within two seconds is left out. */
export function announce(sentence) {
  const now = performance.now();
  if (sentence === last && now - lastTime < 2000) return;
  [last, lastTime] = [sentence, now];
  document.getElementById("announcements").textContent = sentence;
}
