/** A block of code in a question, with the word that stands behind its fence. */
interface Block {
  readonly language: string;
  readonly code: string;
}

/**
 * Small jobs on the last block of code in a question that need no language model: replacing one name by another, the
 * mistakes that can be found by rule, a comment above a function, a commit message for a diff. Undefined for any other.
 */
export function handiwork(question: string): string | undefined {
  const block = lastBlock(question);
  if (!block) return undefined;
  const [asked = ""] = question.split("\n\n", 1);
  if (block.language === "diff") return /\bcommit\b/i.test(asked) ? commitMessage(block.code) : undefined;
  const job = jobs.find(({ words }) => words.test(asked));
  return job && `\`\`\`${block.language}\n${job.work(block, { asked, question })}\n\`\`\``;
}

export function holdsCode(question: string): boolean {
  return lastBlock(question) !== undefined;
}

interface Job {
  readonly words: RegExp;
  readonly work: (block: Block, said: { readonly asked: string; readonly question: string }) => string;
}

const quoted = /["'`]?([^\s"'`]+)["'`]?/.source;
const exchange = new RegExp(
  String.raw`\b(?:replace|rename|change)\s+${quoted}\s+(?:with|by|to|into)\s+${quoted}`,
  "i",
);

const jobs: readonly Job[] = [
  {
    words: exchange,
    work({ code }, { asked }) {
      const [, from = "", to = ""] = exchange.exec(asked) ?? [];
      return code.replaceAll(from, to.replace(/[.,;]$/, ""));
    },
  },
  { words: /^(please )?(fix|correct|repair)\b/i, work: ({ code }, { question }) => fix(code, question) },
  { words: /^(please )?(document|comment)\b/i, work: document },
];

/** Names that the reported problems have a better word for, and the mistakes that need no knowledge of the program. */
function fix(code: string, question: string): string {
  const renamed = [...question.matchAll(/'(\w+)'[^'\n]*Did you mean '(\w+)'\?/g)].reduce(
    (text, [, from = "", to = ""]) => text.replace(new RegExp(`\\b${from}\\b`, "g"), to),
    code,
  );
  return renamed
    .replace(/[ \t]+$/gm, "")
    .replace(/(?<![=!<>])==(?!=)/g, "===")
    .replace(/!=(?!=)/g, "!==")
    .replace(/^(\s*)var /gm, "$1let ");
}

const declaration =
  /^(?<indent>\s*)(?:export |default |public |private |static |async )*(?:function|def|class|fn|func|const|let) +(?<name>\w+)(?:[^(\n]*\((?<parameters>[^)\n]*)\))?/m;

function document({ code, language }: Block): string {
  const { indent = "", name = "this", parameters = "" } = declaration.exec(code)?.groups ?? {};
  const names = parameters
    .split(",")
    .map((parameter) => /^\s*([\w$]+)/.exec(parameter)?.[1] ?? "")
    .filter((parameter) => parameter !== "");
  const sentence =
    names.length > 0 ? `\`${name}\` takes ${names.map((one) => `\`${one}\``).join(", ")}.` : `\`${name}\`.`;
  const comment = /^(python|shellscript|yaml|ruby|makefile)$/.test(language)
    ? `# ${sentence}`
    : `/** ${sentence} */`;
  return `${indent.replace(/\n/g, "")}${comment}\n${code}`;
}

/** What the headers of a diff tell: names, and how many lines came and went. */
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
  const body = lines.map(({ name, added, removed }) => `- ${name}: ${added} lines more, ${removed} less`);
  return [`${verb} ${lines.length} files`, "", ...body].join("\n");
}

function lastBlock(question: string): Block | undefined {
  const last = [...question.matchAll(/^(`{3,})([^`\n]*)\n([\s\S]*?)^\1`*[ \t]*$/gm)].at(-1);
  if (!last) return undefined;
  const [, , language = "", code = ""] = last;
  return { language: language.trim(), code: code.replace(/\n$/, "") };
}
