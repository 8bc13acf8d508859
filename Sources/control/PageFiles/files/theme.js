// Sets the remembered colours before anything is drawn; runs before the modules.
(() => {
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is off: the system's colours apply.
  }
})();
