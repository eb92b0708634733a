import type { Library } from "../docs/library.ts";
import { commentOf } from "../docs/sections.ts";

/** What the guide says when there is nothing to quote. */

export function greeting(library: Library): string {
  return [
    "Hello! I am the **guide** of the sandbox, a stand-in for the service that runs inside the editor: no account, no key, no charge.",
    "I answer from the documentation of this extension, in its own words. Try one of these:",
    examples(library, 6),
  ].join("\n\n");
}

export function thanks(): string {
  return "You are welcome. Ask on: I know how to sign in, which settings there are, what the service can do and what to try when the network gets in the way.";
}

export function capabilities(library: Library): string {
  return [
    "## What I can do",
    "I am the **guide**, the default model of the **sandbox**. I look your question up in the documentation of this extension and quote the passage that fits, with its tables and code. I am no language model: I can't write, translate or calculate.",
    examples(library),
    "### Other models of the sandbox",
    "| Model | Ask it |\n|---|---|\n| `thinker` | the same questions; it shows its reasoning first |\n| `echo` | anything; it says your message again |\n| `long` | for an amount, such as `80 KB` or `20 KB table` |",
    "For answers to any question, sign in to the live service with the command:",
    "```text\nInference: Sign In…\n```",
  ].join("\n\n");
}

export function notWriting(question: string): string {
  return [
    `I can't do that. “${clipped(question)}” needs a language model, and I am only the **guide of the sandbox**: I find passages in the documentation of this extension and quote them.`,
    "To have it done, sign in to the live service and pick one of its models:",
    "1. Run **Inference: Sign In…** from the command palette.\n2. Enter the base URL of the service and your key.\n3. Choose a model above the prompt, and ask again.",
  ].join("\n\n");
}

export function notFound(question: string, library: Library): string {
  if (library.pages.length === 0) {
    return "I am the **guide of the sandbox**, but this sandbox was started without documentation, so there is nothing I can answer from.";
  }
  return [
    `I found nothing on “${clipped(question)}”. I am the **guide of the sandbox** and know the documentation of this extension, nothing else; rather than guess, I say so.`,
    "These I can answer:",
    examples(library, 6),
    "Other words may help, or sign in to the live service (**Inference: Sign In…**) to ask a language model.",
  ].join("\n\n");
}

/** A table of the first pages that name a question they answer: `<!-- ask: … -->`. */
function examples(library: Library, most = Number.POSITIVE_INFINITY): string {
  const rows = library.pages.flatMap(({ title, text }) => {
    const question = commentOf(text, "ask");
    return question ? [`| ${title} | ${question} |`] : [];
  });
  if (rows.length === 0) return "";
  return ["| About | Ask, for example |", "|---|---|", ...rows.slice(0, most)].join("\n");
}

function clipped(question: string): string {
  const line = question.replace(/\s+/g, " ");
  return line.length > 80 ? `${line.slice(0, 77)}…` : line;
}
