/** The theme's own chart colours, in an order in which neighbours differ; then the same mixed with the background. */
const named = ["blue", "orange", "green", "purple", "red", "yellow"].map(
  (name) => `var(--vscode-charts-${name})`,
);
const mixed = named.map((colour) => `color-mix(in srgb, ${colour} 45%, var(--vscode-editor-background))`);

/** Colours of so many series as the canvas takes them; read anew when the theme changes. */
export function seriesColours(count: number): string[] {
  const all = [...named, ...mixed];
  return Array.from({ length: count }, (_, index) => resolved(all[index % all.length] ?? "gray"));
}

export function themeColour(name: string, fallback: string): string {
  return resolved(`var(--vscode-${name}, ${fallback})`);
}

let probe: HTMLElement | undefined;

function resolved(colour: string): string {
  probe ??= document.body.appendChild(Object.assign(document.createElement("i"), { hidden: true }));
  probe.style.color = colour;
  return getComputedStyle(probe).color;
}

/** Calls back whenever the editor has put on another theme. */
export function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { attributes: true, attributeFilter: ["class", "data-vscode-theme-id"] });
  return () => observer.disconnect();
}
