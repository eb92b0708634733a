import type { ToView } from "../../../../src/chat/protocol/chatProtocol.ts";

/** The type of `appPage` of `appPage.tsx`, separate for tests that do not know the DOM. */
export interface AppPage {
  start(): void;
  handle(message: ToView): void;
  showHistory(): void;
  /** The text of the last answer. */
  text(): string;
  /** Distance of the end of the conversation below the view, and of its beginning above, in pixels. */
  belowEnd(): number;
  aboveTop(): number;
  isOverflowing(): boolean;
  /** The side of each line of a text. */
  sides(selector: string): ("left" | "right")[];
  /** Those of these elements that can't be scrolled into view and clicked, by their text. */
  unreachable(selector: string): string[];
  /** The distance of the middles of these elements from top to bottom, in pixels; those out of the flow don't count. */
  spread(selector: string): number;
  /** True if something lies over the left end of an element. */
  isCovered(selector: string): boolean;
  /** The base direction of the lines of an input. */
  bidi(element: unknown): string;
  /** The label of the focused element. */
  focused(): string | null;
  /** Clicks a button without scrolling to it. */
  press(name: string): void;
  /** The content of a text box. */
  value(selector: string): string | undefined;
  /** The current match of Find, once in view. */
  match(): string | undefined;
}
