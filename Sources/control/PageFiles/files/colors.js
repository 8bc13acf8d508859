// The switch between the system's colours, light and dark.

const ORDER = ["auto", "light", "dark"];
const WORDS = { auto: "automatic", light: "light", dark: "dark" };
const MEANING = { auto: "those of the system", light: "light", dark: "dark" };

export function installThemeButton(button) {
  button.addEventListener("click", () => {
    set(ORDER[(ORDER.indexOf(present()) + 1) % ORDER.length]);
    label(button);
  });
  label(button);
}

function present() {
  return document.documentElement.dataset.theme ?? "auto";
}

function set(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // Storage is off: the choice lasts as long as the page.
  }
}

function label(button) {
  button.textContent = `Colours: ${WORDS[present()]}`;
  button.title = `The colours of this page: ${MEANING[present()]}. Click to change them.`;
}
