/** Notes of one answer: `[^label]` in its text, `[^label]: …` where the note stands. */
export interface Footnotes {
  /** A reference: the text that it was written as, until its note is there. */
  reference(label: string): HTMLElement;
  /** Makes the paragraph the note of this label. */
  define(label: string, paragraph: HTMLElement): void;
}

const notes = new WeakMap<Element, HTMLElement>();

export function createFootnotes(): Footnotes {
  const paragraphs = new Map<string, HTMLElement>();
  const waiting = new Map<string, HTMLElement[]>();
  const fill = (element: HTMLElement, label: string, note: HTMLElement) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "footnote-link";
    button.append(label);
    button.setAttribute("aria-label", `Note ${label}`);
    notes.set(button, note);
    element.replaceChildren(button);
  };
  return {
    reference(label) {
      const element = document.createElement("span");
      element.className = "footnote-ref";
      element.append(`[^${label}]`);
      const note = paragraphs.get(label);
      if (note) fill(element, label, note);
      else waiting.set(label, [...(waiting.get(label) ?? []).filter((other) => other.isConnected), element]);
      return element;
    },
    define(label, paragraph) {
      paragraph.className = "footnote";
      const name = document.createElement("span");
      name.className = "footnote-label";
      name.append(`${label}.`);
      paragraph.append(name);
      if (paragraphs.has(label)) return;
      paragraphs.set(label, paragraph);
      for (const element of waiting.get(label) ?? []) fill(element, label, paragraph);
      waiting.delete(label);
    },
  };
}

/** The note that a button belongs to; undefined for any other element. */
export function noteOfButton(element: Element): HTMLElement | undefined {
  return notes.get(element);
}
