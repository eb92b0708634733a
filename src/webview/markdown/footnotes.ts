/** Notes of one answer: `[^label]` in its text, `[^label]: …` where the note stands. */
export interface Footnotes {
  /** A reference: the text that it was written as, until its note is there. */
  reference(label: string): HTMLElement;
  /** Makes the paragraph the note of this label. */
  define(label: string, paragraph: HTMLElement): void;
  /** Forgets the references whose text has been drawn anew; not to be called while text is drawn. */
  forget(): void;
}

const notes = new WeakMap<Element, HTMLElement>();

/** References of text that has been drawn anew are forgotten once there are so many, or as many as others wait. */
const mostWaiting = 200;

export function createFootnotes(): Footnotes {
  const paragraphs = new Map<string, HTMLElement>();
  const waiting = new Map<string, HTMLElement[]>();
  let waitingCount = 0;
  let forgetAt = mostWaiting;
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
      if (note) {
        fill(element, label, note);
        return element;
      }
      const others = waiting.get(label);
      if (others) others.push(element);
      else waiting.set(label, [element]);
      waitingCount += 1;
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
    forget() {
      if (waitingCount < forgetAt) return;
      waitingCount = 0;
      for (const [label, elements] of waiting) {
        const left = elements.filter((element) => element.isConnected);
        waitingCount += left.length;
        if (left.length > 0) waiting.set(label, left);
        else waiting.delete(label);
      }
      forgetAt = waitingCount * 2 + mostWaiting;
    },
  };
}

/** The note that a button belongs to; undefined for any other element. */
export function noteOfButton(element: Element): HTMLElement | undefined {
  return notes.get(element);
}
