import { sampleName } from "../../../shared/names/sampleCode.ts";
import type { DocsLibrary } from "../../docs/library.ts";
import { commentOf } from "../../docs/sections.ts";

/** Answers of the guide without a quotation. */

export function greeting(library: DocsLibrary): string {
  return [
    "Hello! I am the **guide** of the sandbox, a local simulation of the service that runs inside the editor. It needs no account and no key.",
    "I answer from the documentation of this extension, in its own words. Try one of these:",
    examples(library, 6),
  ].join("\n\n");
}

export function thanks(): string {
  return "You are welcome. Ask more: I know how to sign in, which settings there are, what the service can do and what to try when the network gets in the way.";
}

export function capabilities(library: DocsLibrary): string {
  return [
    "## What I can do",
    "I am the **guide**, the default model of the **sandbox**. I search the documentation of this extension and quote the passage that fits, with its tables and code. Of code I know only `hello.ts`, the sample of the tour (**Inference Editor: Open Sample Code**): I explain, test, document and rename it with written answers. I am not a language model: I can't write, translate or calculate.",
    examples(library),
    "### Other models of the sandbox",
    "| Model | Ask it |\n|---|---|\n| `thinker` | the same questions; it shows its reasoning first |\n| `probable` | the same questions; with *Token probabilities* in the settings of the chat |\n| `viewer` | about a picture that you attach; it tells its format, size and colours |\n| `scripted` | `Fix the failing test`, in the mode Agent; it plays scripts of tool calls |",
    "For answers to any question, sign in to the live service with the command:",
    "```text\nInference Connection: Sign In…\n```",
  ].join("\n\n");
}

export const writingDeclined = `The sandbox has no language model, so it can't write this`;

export const codeDeclined = `The sandbox has no language model. Of code it knows only ${sampleName}, which the command Open Sample Code opens; other code needs a model`;

export const sampleDeclined = `The sandbox has no language model. It can explain, review, test and document ${sampleName}, and rename greet in it; this needs a model`;

export function notDocumented(library: DocsLibrary): string {
  return library.pages.length === 0
    ? `The sandbox was started without documentation, so it can't answer`
    : `The sandbox answers from this extension's documentation, which does not cover this`;
}

/** A table of pages with an example question: `<!-- ask: … -->`. */
function examples(library: DocsLibrary, most = Number.POSITIVE_INFINITY): string {
  const rows = library.pages.flatMap(({ title, text }) => {
    const question = commentOf(text, "ask");
    return question ? [`| ${title} | ${question} |`] : [];
  });
  if (rows.length === 0) return "";
  return ["| About | Ask, for example |", "|---|---|", ...rows.slice(0, most)].join("\n");
}
