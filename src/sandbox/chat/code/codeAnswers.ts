import { type KnownCode, readExplainable, readKnownCode } from "../../../shared/simpleCode/explainable.ts";
import {
  type Code,
  type CodeStep,
  callFunction,
  codeLanguageOf,
  type SimpleFunction,
} from "../../../shared/simpleCode/functions.ts";
import { fenced } from "../../../shared/text/fence.ts";
import { examplesOf, type QuotedCode, sampleValues, writeTests } from "./codeExamples.ts";

/**
 * Answers about the last code block of a question that need no language model: explaining, testing and documenting
 * simple functions, renaming, mistakes that rules find, a commit message for a diff. Undefined for other questions.
 */
export function answerAboutCode(question: string): string | undefined {
  const block = lastBlock(question);
  if (!block) return undefined;
  const [asked = ""] = question
    .replace(/^(\S[^\n]*:\n)?(`{3,})[^\n]*\n[\s\S]*?^\2[ \t]*$\n*/gm, "")
    .trim()
    .split("\n\n", 1);
  const instruction = asked === "" ? (question.split("\n\n", 1)[0] ?? "") : asked;
  if (block.language === "diff")
    return /\bcommit\b/i.test(instruction) ? commitMessage(block.code) : undefined;
  const job = jobs.find(({ words }) => words.test(instruction));
  return job?.work(block, { asked: instruction, question });
}

export function holdsCode(question: string): boolean {
  return lastBlock(question) !== undefined;
}

interface Job {
  readonly words: RegExp;
  readonly work: (
    block: QuotedCode,
    said: { readonly asked: string; readonly question: string },
  ) => string | undefined;
}

const quoted = /["'`]?([^\s"'`]+)["'`]?/.source;
const exchange = new RegExp(
  String.raw`\b(?:replace|rename|change)\s+${quoted}\s+(?:with|by|to|into)\s+${quoted}`,
  "i",
);

const jobs: readonly Job[] = [
  {
    words: exchange,
    work(block, { asked }) {
      const [, from = "", to = ""] = exchange.exec(asked) ?? [];
      return asBlock(
        block,
        block.code.replaceAll(from, () => to.replace(/[.,;]$/, "")),
      );
    },
  },
  {
    words: /^(please )?(fix|correct|repair)\b/i,
    work: (block, { question }) => asBlock(block, fix(block, question)),
  },
  { words: /^(please )?(document|comment)\b/i, work: document },
  { words: /^(please )?explain\b/i, work: explain },
  { words: /^(please )?write (unit )?tests?\b/i, work: writeTests },
];

function asBlock({ language }: QuotedCode, code: string): string {
  return fenced(code, language);
}

/** Describes each line, and example results of functions. */
function explain(block: QuotedCode): string | undefined {
  const found = readExplainable(block.code, block.language);
  if (!found) return undefined;
  const { code, calls } = found;
  const parts = code.functions.map((one) => explainFunction(one, code));
  const printed = calls.map(
    ({ line, call, result }) => `Line ${line + 1} calls \`${call}\` and prints \`${String(result)}\`.`,
  );
  return [...parts, ...(printed.length > 0 ? [printed.join("\n")] : [])].join("\n\n");
}

function explainFunction(one: SimpleFunction, code: KnownCode): string {
  const takes = one.parameters.map(({ name, kind }) => `\`${name}\` (a ${kind})`).join(" and ");
  const head = `**\`${one.name}\`** ${takes === "" ? "takes nothing" : `takes ${takes}`}${one.isExported && code.language === "script" ? " and is exported, so other files can import it" : ""}.`;
  const purpose = one.purpose ? ` Its comment says: “${one.purpose}”` : "";
  const steps = one.steps.map((step, index) => `${index + 1}. ${explainStep(step)}`).join("\n");
  const rows = examplesOf(one, code).map(({ call, shown }) => `- \`${call}\` returns \`${shown}\`.`);
  const notes = lookOut(one, code);
  return [
    head + purpose,
    steps,
    rows.length > 0 ? `For example:\n\n${rows.join("\n")}` : "",
    notes.length > 0 ? `**Look out for:** ${notes.join(" ")}` : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function explainStep(step: CodeStep): string {
  switch (step.kind) {
    case "set":
      return `It sets \`${step.name}\` to \`${step.source}\`.`;
    case "returnIf":
      return `If \`${step.testSource}\` is true, it returns \`${step.source}\` and stops.`;
    case "return":
      return step.value.kind === "text"
        ? `It returns the text ${codeSpan(step.source)} with the values put in place of the expressions in braces.`
        : `It returns ${codeSpan(step.source)}.`;
  }
}

function codeSpan(source: string): string {
  return source.includes("`") ? `\`\` ${source} \`\`` : `\`${source}\``;
}

function lookOut(one: SimpleFunction, code: Code): string[] {
  return one.parameters.flatMap(({ name, kind }, index) => {
    if (kind !== "string") return [];
    const values = one.parameters.map((other, at) => (at === index ? "" : sampleValues[other.kind][0]));
    const result = callFunction(one, values, code.functions);
    return typeof result === "string"
      ? [`an empty \`${name}\` is not refused: the result is \`${JSON.stringify(result)}\`.`]
      : [];
  });
}

/** Fixes misspelled names from the reported problems, and mistakes that rules find. */
function fix({ code, language }: QuotedCode, question: string): string {
  const renamed = [...question.matchAll(/'(\w+)'[^'\n]*Did you mean '(\w+)'\?/g)].reduce(
    (text, [, from = "", to = ""]) => text.replace(new RegExp(`\\b${from}\\b`, "g"), to),
    code,
  );
  const tidy = renamed.replace(/[ \t]+$/gm, "");
  if (codeLanguageOf(language) !== "script") return tidy;
  // A loose comparison with null includes undefined, so it is kept.
  return tidy
    .replace(/(?<![=!<>])==(?!=|\s*null\b)/g, "===")
    .replace(/!=(?!=|\s*null\b)/g, "!==")
    .replace(/^(\s*)var /gm, "$1let ");
}

/** A comment in the usual form of the language. It describes the result if known, else the parameters. */
function document(block: QuotedCode): string | undefined {
  const code = readKnownCode(block.code, block.language);
  if (!code) return documentHead(block);
  const lines = block.code.split("\n");
  for (const one of code.functions.toReversed()) {
    if (code.language === "python") documentPython(lines, one);
    else documentScript(lines, one, code);
  }
  return asBlock(block, lines.join("\n"));
}

const declaration =
  /^(?<indent>[ \t]*)(?:export |default |public |private |static |async )*(?:function|def|class|const|let) +(?<name>[\w$]+)(?:[^(\n]*\((?<parameters>[^)\n]*)\))?[^\n]*$/m;

function documentHead(block: QuotedCode): string | undefined {
  const language = codeLanguageOf(block.language);
  const found = language && declaration.exec(block.code);
  if (!found?.groups) return undefined;
  const { indent = "", name = "", parameters = "" } = found.groups;
  const names = [...parameters.matchAll(/(?:^|,)\s*([\w$]+)/g)].map(([, one]) => `\`${one}\``);
  const sentence = names.length > 0 ? `\`${name}\` takes ${names.join(", ")}.` : `\`${name}\`.`;
  const [before, after] = [block.code.slice(0, found.index), block.code.slice(found.index)];
  if (language === "script") return asBlock(block, `${before}${indent}/** ${sentence} */\n${after}`);
  const [head = "", next = "", ...rest] = after.split("\n");
  const inner = /^\s*/.exec(next)?.[0] || `${indent}    `;
  return asBlock(block, before + [head, `${inner}"""${sentence}"""`, next, ...rest].join("\n"));
}

function documentScript(lines: string[], one: SimpleFunction, code: Code): void {
  const indent = /^\s*/.exec(lines[one.startLine] ?? "")?.[0] ?? "";
  let start = one.startLine;
  while (start > 0 && /^\s*(\/\*|\*|\/\/)/.test(lines[start - 1] ?? "")) start -= 1;
  const notes = lookOut(one, code).map((note) => note.replaceAll("`", ""));
  const text = [
    one.purpose ?? `Returns ${resultOf(one)}`,
    "",
    ...one.parameters.map(
      ({ name, kind }, index) => `@param ${name} - A ${kind}${notes[index] ? `; ${notes[index]}` : "."}`,
    ),
    `@returns ${one.purpose ? resultOf(one) : "The result."}`,
  ];
  const comment = [
    "/**",
    ...text.map((line) => (line === "" ? " *" : ` * ${line.replaceAll("*/", "* /")}`)),
    " */",
  ];
  lines.splice(start, one.startLine - start, ...comment.map((line) => indent + line));
}

function documentPython(lines: string[], one: SimpleFunction): void {
  if (one.purpose !== undefined && /^\s*("""|''')/.test(lines[one.startLine + 1] ?? "")) return;
  const indent = /^\s*/.exec(lines[one.startLine + 1] ?? "")?.[0] ?? "    ";
  const result = resultOf(one).replaceAll("\\", "\\\\").replaceAll('"""', "'''");
  lines.splice(one.startLine + 1, 0, `${indent}"""Return ${result}"""`);
}

function resultOf({ steps }: SimpleFunction): string {
  const ends = steps.filter((step) => step.kind !== "set").map(({ source }) => codeSpan(source));
  const [only = ""] = ends;
  return ends.length === 1 ? `${only}.` : `one of ${ends.join(", ")}.`;
}

/** Reads file names and counts of added and removed lines from a diff. */
function commitMessage(diff: string): string {
  const files = diff.split(/^(?=diff --git )/m).filter((text) => text.startsWith("diff --git "));
  const lines = files.map((text) => {
    const name = / b\/(.+)$/m.exec(text.split("\n", 1)[0] ?? "")?.[1] ?? "a file";
    const verb = /^new file mode/m.test(text)
      ? "Add"
      : /^deleted file mode/m.test(text)
        ? "Remove"
        : "Change";
    const count = (sign: RegExp) => (text.match(sign) ?? []).length;
    return { verb, name, added: count(/^\+(?!\+\+ )/gm), removed: count(/^-(?!-- )/gm) };
  });
  const [only] = lines;
  if (!only) return "Change nothing";
  if (lines.length === 1) return `${only.verb} ${only.name}`;
  const verb = lines.every((line) => line.verb === only.verb) ? only.verb : "Change";
  const body = lines.map(
    ({ name, added, removed }) =>
      `- ${name}: ${added} ${added === 1 ? "line" : "lines"} more, ${removed} less`,
  );
  return [`${verb} ${lines.length} files`, "", ...body].join("\n");
}

function lastBlock(question: string): QuotedCode | undefined {
  const last = [
    ...question.matchAll(/(?:^(\S[^\n]*?)(?: \([^()\n]*\))?:\n)?^(`{3,})([^`\n]*)\n([\s\S]*?)^\2`*[ \t]*$/gm),
  ].at(-1);
  if (!last) return undefined;
  const [, above, , language = "", code = ""] = last;
  const file = above ?? /^File: (\S+)/m.exec(question)?.[1];
  return {
    language: language.trim(),
    code: code.replace(/\n$/, ""),
    file: file && /^[\w./-]+\.\w+$/.test(file) ? file : undefined,
  };
}
