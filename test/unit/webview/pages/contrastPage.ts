// Checks the colours of the page that it is injected into.
import type { ContrastPage, Pale } from "./contrastHandle.ts";

/** WCAG 2.2: texts have 4.5 : 1 (1.4.3), drawings and borders of controls 3 : 1 (1.4.11). */
function paleParts(): Pale[] {
  type Colour = readonly [red: number, green: number, blue: number, alpha: number];
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map<string, Colour>();
  /** Any CSS colour, as the browser renders it. */
  const parse = (text: string): Colour => {
    const before = known.get(text);
    if (before) return before;
    if (!canvas) throw new Error("there is no canvas");
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
    known.set(text, [red, green, blue, alpha / 255]);
    return [red, green, blue, alpha / 255];
  };
  const over = (front: Colour, back: Colour, share = 1): Colour => {
    const alpha = front[3] * share;
    const mix = (index: 0 | 1 | 2) => front[index] * alpha + back[index] * (1 - alpha);
    return [mix(0), mix(1), mix(2), 1];
  };
  /** The background colour behind an element. */
  const backOf = (element: Element | null): Colour => {
    if (!element) return parse(getComputedStyle(document.documentElement).getPropertyValue("--page"));
    const { backgroundColor, opacity } = getComputedStyle(element);
    return over(parse(backgroundColor), backOf(element.parentElement), Number(opacity));
  };
  const luminance = (colour: Colour) => {
    const part = (value: number) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * part(colour[0]) + 0.7152 * part(colour[1]) + 0.0722 * part(colour[2]);
  };
  const ratioOf = (one: Colour, other: Colour) => {
    const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const shownShare = (element: Element | null): number =>
    element ? Number(getComputedStyle(element).opacity) * shownShare(element.parentElement) : 1;
  const nameOf = (element: Element) =>
    `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} “${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40)}”`;
  const found: Pale[] = [];
  const judge = (element: Element, what: string, front: Colour, back: Colour, least: number) => {
    const ratio = ratioOf(over(front, back, shownShare(element)), back);
    const text = ([red, green, blue]: Colour) => `rgb(${[red, green, blue].map(Math.round)})`;
    if (ratio < least - 0.005)
      found.push({ what: `${what} of ${nameOf(element)}`, ratio, colours: [text(front), text(back)] });
  };
  const edgePx = (element: Element) => Number.parseFloat(getComputedStyle(element).borderTopWidth);
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.getBoundingClientRect().width > 1;
  for (const element of document.body.querySelectorAll("*")) {
    // Disabled elements may be pale, and elements for screen readers only are not visible.
    if (!isShown(element) || element.closest(":disabled, [aria-disabled=true], .visually-hidden, option"))
      continue;
    const style = getComputedStyle(element);
    const back = backOf(element);
    const hasWords = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    );
    const isBox = element.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");
    if (hasWords || isBox) judge(element, "text", parse(style.color), back, 4.5);
    if (isBox && !element.matches("select"))
      judge(element, "placeholder", parse(getComputedStyle(element, "::placeholder").color), back, 4.5);
    // The track of a gauge shows the missing part.
    if (element.matches("svg *:not(.gauge-track)"))
      judge(element, "drawing", parse(style.stroke === "none" ? style.fill : style.stroke), back, 3);
    if (isBox) {
      // A box without a border may be inside one that has it.
      let edged: Element = element;
      while (edged.parentElement && edgePx(edged) === 0 && edged.parentElement.clientHeight < 300)
        edged = edged.parentElement;
      const outside = backOf(edged.parentElement);
      const edge = over(parse(getComputedStyle(edged).borderTopColor), outside);
      const best = edgePx(edged) > 0 && ratioOf(edge, outside) > ratioOf(back, outside) ? edge : back;
      judge(element, "edge", best, outside, 3);
    }
  }
  return found;
}

const page: ContrastPage = {
  wear({ className, colours }) {
    const ground = colours["--vscode-editor-background"] ?? "";
    const { style } = document.documentElement;
    for (const [variable, colour] of Object.entries(colours)) style.setProperty(variable, colour);
    style.setProperty("--page", ground);
    style.background = ground;
    document.body.className = className;
  },
  pale: paleParts,
};
Object.assign(window, { contrastPage: page });
