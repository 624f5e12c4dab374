// Light, dark, or as the system has it. Only this choice and whether the tour was seen are kept in the browser.

const CHOICES = ["system", "light", "dark"];
const LABELS = { system: "Theme: system", light: "Theme: light", dark: "Theme: dark" };

export function remembered(key) {
  try {
    return localStorage.getItem(`withhold-${key}`);
  } catch {
    return null;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(`withhold-${key}`, value);
  } catch {
    // A browser that keeps nothing is fine: the choice then lasts as long as the page.
  }
}

function apply(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Make a button step through the three themes and say which one holds. */
export function themed(button) {
  let theme = CHOICES.includes(remembered("theme")) ? remembered("theme") : "system";
  const show = () => {
    apply(theme);
    button.querySelector(".label").textContent = LABELS[theme];
  };
  button.addEventListener("click", () => {
    theme = CHOICES[(CHOICES.indexOf(theme) + 1) % CHOICES.length];
    remember("theme", theme);
    show();
  });
  show();
}
