// What the benchmark and its page say to each other; without the page's own types, which know the DOM.

export type WayName = "ours" | "whole" | "plain";

export interface Drawn {
  /** Script and layout of all flushes; of a sample of them, as much as all would have taken. */
  readonly totalMs: number;
  /** Of each flush that was drawn. */
  readonly flushMs: readonly number[];
  /** Characters that can be read at the end. */
  readonly shown: number;
}

export interface ChatRenderPage {
  /** Streams an answer, four characters a flush; of these every `sampleEvery`th is drawn and counts for all. */
  draw(name: WayName, source: string, sampleEvery: number): Promise<Drawn>;
}

export interface Grown {
  /** Until all is drawn, as the page's script has it. */
  readonly scriptMs: number;
  /** Until code has its colours and formulas are set, too. */
  readonly totalMs: number;
  /** The piece that took longest. */
  readonly longestMs: number;
  readonly elements: number;
  /** Characters that can be read at the end. */
  readonly shown: number;
}

export interface GrowthPage {
  /** Draws markdown that comes in pieces of this length, each of which is drawn. */
  draw(source: string, pieceLength: number): Promise<Grown>;
  warm(source: string): Promise<void>;
}
