export const blockKinds = ["paragraph", "list", "table", "code", "quote", "math"] as const;
export type BlockKind = (typeof blockKinds)[number];

const words =
  "stream token answer model window request signal buffer river über naïve façade 東京 данные λόγος emoji 🙂 table render quick brown fox".split(
    " ",
  );

type Random = () => number;

/**
 * One block of markdown with a blank line after it. With `room`, a slice of one giant block that grows by `index`:
 * no blank line, so that the slices make one list, table, fence or paragraph.
 */
export function blockOf(kind: BlockKind, random: Random, room: number, index: number): string {
  if (room === 0) return `${opening(kind)}${lines(kind, random, 4)}${closing(kind)}\n`;
  const slice = lines(kind, random, 8);
  const last = Buffer.byteLength(slice) >= room;
  return `${index === 0 ? opening(kind) : ""}${slice}${last ? closing(kind) : ""}`;
}

function opening(kind: BlockKind): string {
  switch (kind) {
    case "table":
      return "| Name | Value | Note |\n|---|--:|---|\n";
    case "code":
      return "```ts\n";
    case "math":
      return "$$\n";
    default:
      return "";
  }
}

function closing(kind: BlockKind): string {
  if (kind === "code") return "```\n";
  return kind === "math" ? "$$\n" : "";
}

function lines(kind: BlockKind, random: Random, count: number): string {
  return Array.from({ length: count }, () => `${line(kind, random)}\n`).join("");
}

function line(kind: BlockKind, random: Random): string {
  const number = Math.floor(random() * 1000);
  switch (kind) {
    case "list":
      return `- **${word(random)}** ${sentence(random, 6)} with \`code${number}\``;
    case "table":
      return `| ${word(random)} | ${number} | ${sentence(random, 4)} |`;
    case "code":
      return `const ${"abcdefgh"[number % 8]}${number} = compute("${word(random)}", ${number}); // ${sentence(random, 3)}`;
    case "quote":
      return `> ${sentence(random, 8)}.`;
    case "math":
      return `x_{${number}} = \\frac{${number}}{y^2} + \\sqrt{z}`;
    case "paragraph":
      return `${sentence(random, 12)}, *${word(random)}* and [a link](https://example.com/${number}).`;
  }
}

function sentence(random: Random, count: number): string {
  return Array.from({ length: count }, () => word(random)).join(" ");
}

function word(random: Random): string {
  return words[Math.floor(random() * words.length)] ?? "word";
}
