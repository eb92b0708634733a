// Types shared by the benchmark and its page, without DOM types.

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
  readonly length: number;
  /** Characters that can be read at the end. */
  readonly shown: number;
  readonly elements: number;
}

export interface GrowthPage {
  names(): readonly string[];
  /** Makes the markdown, and an empty page. */
  prepare(name: string, length: number): void;
  /** Draws all of it, as if it came in pieces of this length; in one without it. */
  draw(pieceLength?: number): void;
  layOut(): number;
  /** Waits for colours and formulas. */
  settle(): Promise<Grown>;
}
