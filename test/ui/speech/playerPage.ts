import type { Frame } from "playwright-core";
import { pcmToWav } from "../../../src/speech/host/formats/wav.ts";
import type { Workbench } from "../workbench.ts";

/** Browser API of the page. */
declare const document: {
  querySelectorAll(selector: string): Iterable<Element>;
  createTreeWalker(root: Element, what: number): { nextNode(): TextNode | null };
  createRange(): {
    setStart(node: TextNode, at: number): void;
    setEnd(node: TextNode, at: number): void;
    getBoundingClientRect(): Box;
  };
};
declare const requestAnimationFrame: (draw: () => void) => void;
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}
interface Element {
  readonly className: string;
  getBoundingClientRect(): Box;
}
interface TextNode {
  readonly data: string;
}

/** Polls once per frame of the window. */
export async function until(
  page: () => Workbench["page"],
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`timed out: ${holds}`);
    await page().evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));
  }
}

/** The frame that contains such an element. */
export async function frameWith(page: () => Workbench["page"], selector: string): Promise<Frame> {
  let found: Frame | undefined;
  await until(page, async () => {
    // In parallel and with a timeout: a frame that is loading or about to be removed may never answer.
    const asked = page()
      .frames()
      .map(async (frame) => {
        await frame.locator(selector).first().waitFor({ state: "attached", timeout: 1_000 });
        return frame;
      });
    found = await Promise.any(asked).catch(() => undefined);
    return found !== undefined;
  });
  if (!found) throw new Error(`no page has ${selector}`);
  return found;
}

/** The text in the editor under a decoration of an extension. */
export function highlightedText(): string {
  const marks = [...document.querySelectorAll(".view-overlays .cdr")].filter(({ className }) =>
    className.includes("TextEditorDecorationType"),
  );
  const boxes = marks.map((mark) => mark.getBoundingClientRect());
  let text = "";
  for (const line of document.querySelectorAll(".view-lines .view-line")) {
    const walker = document.createTreeWalker(line, 4);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (let at = 0; at < node.data.length; at++) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { left, right, top, bottom } = range.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        if (boxes.some((box) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom))
          text += node.data[at];
      }
    }
  }
  return text;
}

/** Two seconds of a voice-like tone. */
export function voiceSample(): Uint8Array {
  const samples = Int16Array.from({ length: 48_000 }, (_, at) => {
    const turn = (2 * Math.PI * 140 * at) / 24_000;
    return 6000 * Math.sin(turn) + 3000 * Math.sin(2 * turn);
  });
  return pcmToWav(new Uint8Array(samples.buffer));
}
