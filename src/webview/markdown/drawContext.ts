import type { CitationMarks } from "./citationMarks.ts";
import type { DrawBudget } from "./drawBudget.ts";
import type { Footnotes } from "./footnotes.ts";
import type { Highlighter } from "./highlighter.ts";
import type { References } from "./references.ts";
import type { RemoteImages } from "./remoteImages.ts";
import type { Typesetter } from "./typesetter.ts";

/** What answers are drawn with; one for the whole page. */
export interface MarkdownTools {
  readonly highlighter: Highlighter;
  readonly typesetter: Typesetter;
  readonly pictures: RemoteImages;
}

/** The same, and what the blocks of one answer share. */
export interface DrawContext extends MarkdownTools {
  readonly references: References;
  readonly citations: CitationMarks;
  readonly footnotes: Footnotes;
  readonly budget: DrawBudget;
}
