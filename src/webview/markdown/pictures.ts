export interface DiagramEngine {
  /** The diagram as SVG, or the reason why it can't be drawn. */
  draw(source: string, colours: DiagramColours): Promise<DrawnDiagram>;
}

export type DrawnDiagram = { readonly svg: string } | { readonly problem: string };

export interface DiagramColours {
  readonly foreground: string;
  readonly background: string;
  /** CSS font families. */
  readonly font: string;
  readonly codeFont: string;
}

export interface Diagrams {
  /** Shows the diagram above its code, or removes it. */
  toggle(button: Element, code: { readonly frame: HTMLElement; readonly source: string }): Promise<void>;
}

/**
 * Diagrams, drawn on request by an engine in a chunk of its own. They are shown as images, in which nothing runs,
 * nothing is fetched and nothing can be clicked, whatever their source says.
 */
export function createDiagrams(load: () => Promise<DiagramEngine>): Diagrams {
  let loading: Promise<DiagramEngine> | undefined;
  const shown = new Map<HTMLElement, string>();
  const draw = async (place: HTMLElement, source: string) => {
    loading ??= load();
    const drawn = await (await loading).draw(source, themeColours());
    place.replaceChildren("problem" in drawn ? problem(drawn.problem) : diagramPicture(drawn.svg, source));
  };
  // An image keeps the colours of the theme in which it was drawn.
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

function diagramPicture(svg: string, source: string): HTMLImageElement {
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

interface DiagramKind {
  /** Matches its first line. */
  readonly first: RegExp;
  readonly head: (direction: string | undefined) => string;
  readonly isFlow?: boolean;
}

/** The supported kinds of diagrams; `head` is the first line that the engine expects. */
export const diagramKinds: readonly DiagramKind[] = [
  {
    first: /^(?:graph|flowchart)(?:[ \t]+(TD|TB|LR|BT|RL))?[ \t]*(?:;|\n|$)/i,
    head: (direction = "TD") => `flowchart ${direction.toUpperCase()}`,
    isFlow: true,
  },
  { first: /^stateDiagram(?:-v2)?[ \t]*(?:\n|$)/i, head: () => "stateDiagram-v2" },
  { first: /^sequenceDiagram[ \t]*(?:\n|$)/i, head: () => "sequenceDiagram" },
  { first: /^classDiagram[ \t]*(?:\n|$)/i, head: () => "classDiagram" },
  { first: /^erDiagram[ \t]*(?:\n|$)/i, head: () => "erDiagram" },
];

/** True if the source is a diagram of a supported kind. */
export function isDiagram(written: string): boolean {
  const source = withoutPreamble(written);
  return diagramKinds.some(({ first }) => first.test(source));
}

/** Removes front matter, directives and comments before the first line of the diagram. */
export function withoutPreamble(source: string): string {
  return source
    .replace(/^\s*---\n[\s\S]*?\n---\n/, "")
    .replace(/^(?:\s*%%[^\n]*(?:\n|$))+/, "")
    .trim();
}

/** The result of fetching an image: a data URL, or the reason why it failed. */
export type FetchedPicture = { readonly src: string } | { readonly problem: string };

/**
 * The remote images of answers. Fetching one tells its server that this answer is being read, so a button is shown
 * until the reader asks for the image. The page has no network access; `ask` has the host fetch the image.
 */
export class RemoteImages {
  readonly #ask: (url: string) => void;
  readonly #fetched = new Map<string, string>();
  /** The URL of each place and of its button. Places are not stored, because they would keep their answer in memory. */
  readonly #urls = new WeakMap<Element, string>();
  readonly #isAsked = new Set<string>();

  constructor(ask: (url: string) => void) {
    this.#ask = ask;
  }

  /** The image if it has been fetched, otherwise a button that fetches it. */
  place(url: string, name: string): HTMLElement {
    const element = document.createElement("span");
    element.className = "far-picture";
    element.dataset.name = name;
    const src = this.#fetched.get(url);
    if (src !== undefined) {
      this.#show(element, src, name);
      return element;
    }
    const button = document.createElement("button");
    button.type = "button";
    button.className = "far-load";
    button.title = url;
    const hint = document.createElement("span");
    hint.className = "far-hint";
    hint.append(this.#isAsked.has(url) ? "loading…" : `load from ${hostOf(url)}`);
    button.append(name || "image", " · ", hint);
    element.append(button);
    for (const one of [element, button]) this.#urls.set(one, url);
    return element;
  }

  /** Fetches the image of this button; returns false for any other element. */
  load(element: Element): boolean {
    const url = this.#urls.get(element);
    if (url === undefined) return false;
    if (this.#isAsked.has(url)) return true;
    this.#isAsked.add(url);
    for (const place of this.#placesOf(url)) this.#say(place, "loading…", true);
    this.#ask(url);
    return true;
  }

  came(url: string, picture: FetchedPicture): void {
    this.#isAsked.delete(url);
    const places = this.#placesOf(url);
    if ("problem" in picture) {
      for (const place of places) this.#say(place, picture.problem, false);
      return;
    }
    this.#fetched.set(url, picture.src);
    for (const place of places) this.#show(place, picture.src, place.dataset.name ?? "");
  }

  #placesOf(url: string): HTMLElement[] {
    return [...document.querySelectorAll<HTMLElement>(".far-picture")].filter(
      (place) => this.#urls.get(place) === url,
    );
  }

  #show(element: HTMLElement, src: string, name: string): void {
    element.replaceChildren(pictureOf(src, name));
  }

  #say(element: HTMLElement, text: string, isBusy: boolean): void {
    const button = element.querySelector("button");
    const hint = element.querySelector(".far-hint");
    if (hint) hint.textContent = text;
    if (button) button.ariaBusy = String(isBusy);
  }
}

/** An image in the text of an answer. */
export function pictureOf(src: string, name: string): HTMLImageElement {
  const picture = document.createElement("img");
  picture.className = "inline-picture";
  picture.alt = name;
  picture.src = src;
  return picture;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
