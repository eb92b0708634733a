import type { Area } from "../mutant.ts";
import { unit } from "../select.ts";

const tokens = "src/completions/context/modelTokens.ts";
const before = "src/completions/context/repeatedBefore.ts";
const after = "src/completions/context/repeatedAfter.ts";
const clean = "src/completions/context/cleanCompletion.ts";

export const completionsArea: Area = {
  tests: [unit("completions/context/{cleanCompletion,repeats}")],
  mutants: [
    {
      does: "a token in a file about tokens ends the answer",
      file: tokens,
      find: "if (found && hasSuch(file, found[0])) return said;",
      replace: "",
    },
    {
      does: "a token that was cut stays",
      file: tokens,
      find: 'start.replace(cutToken, "")',
      replace: "start",
    },
    {
      does: "the template of a file is kept",
      file: tokens,
      find: "if (last) return",
      replace: "if (!last) return",
    },
    {
      does: "the reasoning of a server stays",
      file: tokens,
      find: "if (end) return answer.slice",
      replace: "if (!end) return answer.slice",
    },
    {
      does: "the same line alone is a repetition",
      file: before,
      find: 'return count > 1 ? "" : answer;',
      replace: 'return "";',
    },
    {
      does: "the head of a closed block is a repetition",
      file: before,
      find: "return indent < inner ? index : -1",
      replace: "return index",
    },
    {
      does: "brackets alone are a repetition",
      file: before,
      find: "if (/[\\p{L}\\p{N}]{2}/u.test(repeated",
      replace: "if (/./u.test(repeated",
    },
    {
      does: "a part of a word is a repetition",
      file: before,
      find: "if (!isBoundary || ",
      replace: "if (",
    },
    {
      does: "a single sign is a repetition",
      file: before,
      find: "const isLong = signs.length > 1 &&",
      replace: "const isLong = signs.length > 0 &&",
    },
    {
      does: "a bracket of the answer's own block ends it",
      file: after,
      find: "return openBrackets(above).length === 0;",
      replace: "return true;",
    },
    {
      does: "a word that ends the answer's own block ends it",
      file: after,
      find: "return !wordEnd.test(line) ||",
      replace: "return true ||",
    },
    {
      does: "an element of the answer's own ends it",
      file: after,
      find: "if (tag !== undefined) return",
      replace: "if (tag !== undefined && false) return",
    },
    {
      does: "a bracket of the answer's own call is cut",
      file: after,
      find: "own.pop() === undefined && stack.pop() !== undefined",
      replace: "own.pop() === undefined && stack.pop() === own[0]",
    },
    {
      does: "an apostrophe is a quotation mark",
      file: after,
      find: 'quote === "\'" ? last.replace',
      replace: 'quote === "" ? last.replace',
    },
    {
      does: "a list of strings is cut at its first mark",
      file: clean,
      find: "if (!isOpen || ",
      replace: "if (",
    },
    {
      does: "a fence of a Markdown file is removed",
      file: clean,
      find: "const isText = textLanguages.has(languageId)",
      replace: "const isText = !textLanguages.has(languageId)",
    },
    {
      does: "a block that was written from column 0 stays there",
      file: clean,
      find: 'if (base === "" || ',
      replace: 'if (base !== "" || ',
    },
  ],
};
