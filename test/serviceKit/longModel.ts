import { lastUserMessage, messageText } from "../../src/sandbox/chat/ask.ts";
import type { Author } from "../../src/sandbox/chat/draft.ts";
import { countTokens } from "../../src/sandbox/chat/reply/tokens.ts";
import { createRandom } from "../../src/sandbox/state/ids.ts";
import { type BlockKind, blockKinds, blockOf } from "./longBlocks.ts";

const defaultBytes = 20_000;
const maxBytes = 4_000_000;
const bytesPerUnit: Readonly<Record<string, number>> = {
  b: 1,
  byte: 1,
  bytes: 1,
  k: 1000,
  kb: 1000,
  kib: 1024,
  m: 1e6,
  mb: 1e6,
  mib: 1_048_576,
};

/**
 * Markdown of the size that the prompt requests, the same for the same prompt: `80 KB`, `5000 tokens`, and one giant
 * block with `80 KB table` (or list, code, paragraph, quote, math).
 */
export const long: Author = ({ ask, choice }) => {
  const message = lastUserMessage(ask.body);
  const wish = readWish(message ? messageText(message) : "");
  return { content: write(wish, createRandom((ask.body.seed ?? 1) + choice)) };
};

interface Wish {
  readonly amount: number;
  readonly unit: "bytes" | "tokens";
  /** Undefined for a mix. */
  readonly only: BlockKind | undefined;
}

function readWish(prompt: string): Wish {
  const [, digits, unit] = /(\d[\d_,]*(?:\.\d+)?)\s*(bytes?|[km]i?b?|b|tokens?)?\b/i.exec(prompt) ?? [];
  const only = blockKinds.find((kind) => new RegExp(`\\b${kind}s?\\b`, "i").test(prompt));
  if (digits === undefined) return { amount: defaultBytes, unit: "bytes", only };
  const number = Number(digits.replace(/[_,]/g, ""));
  if (/^token/i.test(unit ?? "")) return { amount: Math.min(number, maxBytes / 4), unit: "tokens", only };
  return {
    amount: Math.min(number * (bytesPerUnit[(unit ?? "kb").toLowerCase()] ?? 1), maxBytes),
    unit: "bytes",
    only,
  };
}

function write({ amount, unit, only }: Wish, random: () => number): string {
  const size = unit === "tokens" ? countTokens : (text: string) => Buffer.byteLength(text);
  const parts: string[] = [];
  let written = 0;
  for (let index = 0; written < amount; index++) {
    const block = only ? blockOf(only, random, amount - written, index) : mixed(random, index);
    parts.push(block);
    written += size(block);
  }
  return parts.join("");
}

/** Headings with, below each, one block of each kind in turn. */
function mixed(random: () => number, index: number): string {
  const kind = blockKinds[index % blockKinds.length] ?? "paragraph";
  const heading = index % blockKinds.length === 0 ? `## Section ${index / blockKinds.length + 1}\n\n` : "";
  return heading + blockOf(kind, random, 0, 0);
}
