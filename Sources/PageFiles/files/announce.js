// Tells a screen reader what has happened: few, short sentences.

let last = "";
let lastTime = 0;

/** Says a sentence politely. The same one again within two seconds is left out. */
export function announce(sentence) {
  const now = performance.now();
  if (sentence === last && now - lastTime < 2000) return;
  [last, lastTime] = [sentence, now];
  document.getElementById("announcements").textContent = sentence;
}
