import type { DominoNode } from "@mixmark-io/domino";
import type { RootContent } from "mdast";
import type { Mark } from "./phrasing.ts";

/** What an element passes on to what is in it. */
export interface Scope {
  readonly marks: readonly Mark[];
  readonly isCode: boolean;
  readonly keepsLines: boolean;
}

/** Reads what is within an item of a list or a cell of a table. */
export interface BlockReader {
  /** The blocks of what is in an element. */
  blocksIn(node: DominoNode, scope: Scope): RootContent[];
  blocksOf(nodes: readonly DominoNode[], scope: Scope): RootContent[];
}
