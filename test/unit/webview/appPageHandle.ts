import type { ToView } from "../../../src/shared/chatProtocol.ts";

/** What the page of `appPage.tsx` has as `appPage`. Apart from it, for tests that know no document. */
export interface AppPage {
  start(): void;
  handle(message: ToView): void;
  showHistory(): void;
  /** The text of the last answer. */
  text(): string;
  /** How far the end of the conversation is below what is seen, and its beginning above, in pixels. */
  belowEnd(): number;
  aboveTop(): number;
  isOverflowing(): boolean;
  /** Of each line of a text: the side that it stands on. */
  sides(selector: string): ("left" | "right")[];
  /** What of these can't be brought into sight within the page and be hit there, by its words. */
  unreachable(selector: string): string[];
  /** How the lines of a box get their direction. */
  bidi(element: unknown): string;
  /** The label of what has the focus. */
  focused(): string | null;
  /** Presses a button where it is, without bringing it into sight. */
  press(name: string): void;
  /** The content of a text box. */
  value(selector: string): string | undefined;
  /** The match that Find is at, once it is in sight. */
  match(): string | undefined;
}
