import type { FramedCode } from "./codeFrame.ts";

export interface DiagramEngine {
  /** The diagram as SVG, or why there is none. */
  draw(source: string, colours: DiagramColours): Promise<DrawnDiagram>;
}

export type DrawnDiagram = { readonly svg: string } | { readonly problem: string };

export interface DiagramColours {
  readonly foreground: string;
  readonly background: string;
  /** Families of fonts, as style sheets name them. */
  readonly font: string;
  readonly codeFont: string;
}

export interface Diagrams {
  /** Shows the diagram above its code, or takes it away again. */
  toggle(button: Element, code: FramedCode): Promise<void>;
}

/**
 * Diagrams, drawn when they are asked for: the engine is a bundle of its own. They are shown as pictures, in which
 * nothing runs, nothing is fetched and nothing can be clicked, whatever their source says.
 */
export function createDiagrams(load: () => Promise<DiagramEngine>): Diagrams {
  let loading: Promise<DiagramEngine> | undefined;
  const shown = new Map<HTMLElement, string>();
  const draw = async (place: HTMLElement, source: string) => {
    loading ??= load();
    const drawn = await (await loading).draw(source, themeColours());
    place.replaceChildren("problem" in drawn ? problem(drawn.problem) : picture(drawn.svg, source));
  };
  // The colours of a picture are those of the theme that it was drawn in.
  const recolour = () => {
    for (const [place, source] of shown) {
      if (place.isConnected) void draw(place, source);
      else shown.delete(place);
    }
  };
  let watcher: MutationObserver | undefined;
  const watchTheme = () => {
    if (watcher) return;
    watcher = new MutationObserver(recolour);
    watcher.observe(document.body, { attributes: true, attributeFilter: ["class"] });
  };
  return {
    async toggle(button, { frame, source }) {
      const old = frame.querySelector<HTMLElement>(":scope > .diagram");
      button.textContent = old ? "Show Diagram" : "Hide Diagram";
      button.setAttribute("aria-expanded", String(!old));
      if (old) {
        shown.delete(old);
        old.remove();
        return;
      }
      const place = document.createElement("div");
      place.className = "diagram";
      place.tabIndex = 0;
      frame.querySelector(":scope > .code-head")?.after(place);
      watchTheme();
      shown.set(place, source);
      await draw(place, source);
    },
  };
}

function picture(svg: string, source: string): HTMLImageElement {
  const image = document.createElement("img");
  image.className = "diagram-picture";
  image.alt = `Diagram: ${source}`;
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  return image;
}

function problem(text: string): HTMLElement {
  const note = document.createElement("p");
  note.className = "diagram-problem";
  note.append(text);
  return note;
}

function themeColours(): DiagramColours {
  const style = getComputedStyle(document.body);
  const value = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise;
  return {
    foreground: value("--vscode-editor-foreground", "#888888"),
    background: value("--vscode-editor-background", "#ffffff"),
    font: style.fontFamily,
    codeFont: value("--vscode-editor-font-family", "monospace"),
  };
}
