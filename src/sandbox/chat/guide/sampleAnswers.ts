import { type SamplePart, sampleName, sampleParts } from "../../../shared/names/sampleCode.ts";
import { fenced } from "../../../shared/text/fence.ts";

type Parts = ReadonlySet<SamplePart>;

/** Answers about the sample of the tour. They are written here: nothing reads or runs code. */
const answers: readonly (readonly [
  words: RegExp,
  write: (parts: Parts, words: RegExpExecArray) => string,
])[] = [
  [/^(?:please )?explain\b|^what (?:does|is) (?:this|it)\b/i, explain],
  [/^(?:please )?write (?:unit )?tests?\b/i, () => writtenTests],
  [/^(?:please )?(?:document|comment|write documentation)\b/i, document],
  [/^(?:please )?review\b|^find what is wrong\b/i, () => review],
  [/^(?:please )?(?:fix|correct|repair)\b/i, (parts) => asBlock(parts)],
  [
    /^(?:please )?rename [`'"]?greet[`'"]? (?:to|into) [`'"]?([A-Za-z_$][\w$]*)/i,
    (parts, [, name = ""]) => asBlock(parts, (text) => text.replaceAll("greet", () => name)),
  ],
];

/** The written answer to an instruction about these parts of the sample; undefined if there is none. */
export function answerAboutSample(instruction: string, parts: readonly SamplePart[]): string | undefined {
  for (const [words, write] of answers) {
    const found = words.exec(instruction);
    if (found) return write(new Set(parts), found);
  }
  return undefined;
}

const isWritten = `*The sandbox has no language model. This answer was written for \`${sampleName}\`, the sample of the tour. For other code, choose a model that runs on this machine or one of a live service.*`;

const explanations: Readonly<Record<SamplePart, string>> = {
  comment:
    "The **comment** says what the function is for. The editor shows it when you hover over a call of the function.",
  function: `**\`greet\`** takes a \`name\`, a string, and returns a greeting. It is exported, so other files can import it.

1. The text between backticks is a template: \`\${name}\` is replaced by the value of \`name\`.
2. \`return\` hands the text to the caller. The function itself prints nothing.

For example, \`greet("Ada")\` returns \`"Hello, Ada!"\`.

**Look out for:** an empty \`name\` is not refused. \`greet("")\` returns \`"Hello, !"\`.`,
  call: 'The **last line** calls `greet("world")` and prints `Hello, world!`. It also runs when another file imports this one.',
};

function explain(parts: Parts): string {
  return [...[...parts].map((part) => explanations[part]), "---", isWritten].join("\n\n");
}

const testCode = `import assert from "node:assert/strict";
import { test } from "node:test";
import { greet } from ${JSON.stringify(`./${sampleName}`)};

test("greets by name", () => {
  assert.equal(greet("Ada"), "Hello, Ada!");
});

test("keeps spaces and other letters", () => {
  assert.equal(greet("Zoë van Dyk"), "Hello, Zoë van Dyk!");
});

test("does not refuse an empty name", () => {
  assert.equal(greet(""), "Hello, !");
});`;

const writtenTests = `Save the sample as \`${sampleName}\` and this beside it as \`hello.test.ts\`. Run it with \`node --test hello.test.ts\` (Node 24 runs TypeScript as it is).

${fenced(testCode, "typescript")}

${isWritten}`;

const review = `I find no mistake: \`greet\` returns the greeting, and the types fit.

- An empty \`name\` gives \`"Hello, !"\`. If that matters, refuse it or greet nobody in particular.
- The call at the end of the file runs when another file imports \`greet\`. In a larger program it belongs in a file of its own.

${isWritten}`;

const documentation = `/**
 * Returns a greeting.
 *
 * @param name - Who is greeted; an empty name is not refused.
 * @returns The greeting, for example \`Hello, Ada!\`.
 */`;

/** The comment of the function in the form of JSDoc. */
function document(parts: Parts): string {
  if (!parts.has("function"))
    return asBlock(parts, (text, part) => (part === "comment" ? documentation : text));
  const withoutComment = new Set([...parts].filter((part) => part !== "comment"));
  return asBlock(withoutComment, (text, part) => (part === "function" ? `${documentation}\n${text}` : text));
}

function asBlock(parts: Parts, change = (text: string, _part: SamplePart) => text): string {
  const texts = [...parts].map(
    (part) => change(sampleParts[part], part) + (part === "comment" ? "\n" : "\n\n"),
  );
  return fenced(texts.join("").trimEnd(), "typescript");
}

const secondCall = 'console.log(greet("Ada"));';

/**
 * The text to insert at a cursor in the sample: the rest of a second call, in a line of its own below the function;
 * empty anywhere else in it. Undefined in other files.
 */
export function completeSample({
  before,
  after,
}: {
  readonly before: string;
  readonly after: string;
}): string | undefined {
  const text = before.replaceAll("\r\n", "\n");
  if (!(text + after.replaceAll("\r\n", "\n")).includes(sampleParts.function)) return undefined;
  const typed = text.slice(text.lastIndexOf("\n") + 1);
  const isBelow = text.includes(sampleParts.function) && /^\s*?(?:\r?\n|$)/.test(after);
  return isBelow && secondCall.startsWith(typed) ? secondCall.slice(typed.length) : "";
}
