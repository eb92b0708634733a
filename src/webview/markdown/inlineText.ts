import { settleDirection } from "./direction.ts";
import type { DrawContext } from "./drawContext.ts";
import { growText, wholeTo } from "./growText.ts";
import { createInlineRun, inert } from "./inlineRun.ts";
import { createRunCutter } from "./textRuns.ts";

/** The text of a paragraph, heading or cell, drawn into its element while it is written. */
export interface InlineText {
  append(text: string): void;
  /** Draws what is new; cheap when it is plain text, and never more than a few hundred characters otherwise. */
  draw(): void;
  /** Draws it as it is meant; nothing more is appended. */
  finish(): void;
}

/** A text that nobody reads is longer: after so many characters marks are text. */
const longestMarked = 65_536;
const plainRun = 4096;
const cutNote = "This text is too long: from about its 65,000th character on it is shown as it was written.";

/** A very long text goes on in places of its own, each drawn by itself. */
export function createInlineText(element: HTMLElement, context: DrawContext): InlineText {
  let run = createInlineRun(element, context);
  const cutter = createRunCutter();
  /** How many characters may still come to be marks. */
  let room = longestMarked;
  let plain: { readonly place: HTMLElement; length: number } | undefined;
  let isCut = false;

  const continueAnswer = () => {
    settleDirection(element);
    return addPlace(element, "text-run");
  };
  /** Ends the runs that are full. */
  const cutRuns = () => {
    for (let end = cutter.cut(run.source); end; end = cutter.cut(run.source)) {
      const rest = run.source.slice(end);
      run.end(end);
      run = createInlineRun(continueAnswer(), context);
      run.append(rest);
    }
  };
  /** Drawn at once, as it means nothing but itself. */
  const appendPlain = (text: string) => {
    if (!plain) {
      cutRuns();
      run.end();
    }
    isCut ||= !inert.test(text);
    for (let at = 0, end = 0; at < text.length; at = end) {
      if (!plain || plain.length >= plainRun) plain = { place: continueAnswer(), length: 0 };
      end = wholeTo(text, at + plainRun - plain.length);
      growText(plain.place, text.slice(at, end));
      plain.length += end - at;
    }
  };
  return {
    append(text) {
      const end = plain ? 0 : wholeTo(text, room);
      room -= Math.min(room, text.length);
      run.append(text.slice(0, end));
      if (end < text.length) appendPlain(text.slice(end));
    },
    draw() {
      if (plain) return;
      cutRuns();
      run.draw();
    },
    finish() {
      if (isCut) addPlace(element, "cut-note").append(cutNote);
      if (plain) return;
      cutRuns();
      run.end();
    },
  };
}

function addPlace(element: HTMLElement, className: "text-run" | "cut-note"): HTMLElement {
  const place = document.createElement("span");
  place.className = className;
  element.append(place);
  return place;
}
