/** The options of a program that are harmless, and what its other words are. Whatever is not named here is not covered. */
export interface ProgramOptions {
  /** Letters of options without a value. */
  readonly flags?: string;
  /** Letters of options with a value, in the same word or the next one. */
  readonly valued?: string;
  /** Names of long options, divided by blanks; with `=` they may have a value in the same word. */
  readonly long?: string;
  /** True if `-20` is a number of lines. */
  readonly isNumbered?: true;
}

/** The words after a program as it reads them. */
export interface ReadWords {
  readonly operands: readonly string[];
  /** Options as `-n`, `--lines`. */
  readonly options: readonly string[];
  readonly values: readonly OptionValue[];
}

interface OptionValue {
  /** As `-n`. */
  readonly option: string;
  readonly text: string;
  /** A word of its own after an operand. A version that takes no options there reads it as an operand. */
  readonly isLate: boolean;
}

/** Undefined if a word is an option that is not harmless. Long options are given in full. */
export function readOptions(allowed: ProgramOptions, words: readonly string[]): ReadWords | undefined {
  const operands: string[] = [];
  const options: string[] = [];
  const values: OptionValue[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") return { operands: [...operands, ...words.slice(at + 1)], options, values };
    if (!word.startsWith("-") || word === "-") {
      operands.push(word);
      continue;
    }
    const read = optionOf(allowed, word, words[at + 1]);
    if (!read) return undefined;
    options.push(...read.options);
    if (read.isApart) at += 1;
    const option = read.options.at(-1) ?? "";
    if (read.value !== undefined)
      values.push({ option, text: read.value, isLate: read.isApart && operands.length > 0 });
  }
  return { operands, options, values };
}

/** `isApart`: its value is the next word. */
function optionOf(
  allowed: ProgramOptions,
  word: string,
  next: string | undefined,
): (ReadOption & { readonly isApart: boolean }) | undefined {
  const read = word.startsWith("--") ? longOption(allowed, word) : shortOptions(allowed, word);
  if (read?.value !== "") return read && { ...read, isApart: false };
  return next === undefined ? undefined : { ...read, value: next, isApart: true };
}

interface ReadOption {
  readonly options: readonly string[];
  /** Of the last one; empty if it is the next word, undefined if it has none. */
  readonly value?: string;
}

function longOption({ long = "" }: ProgramOptions, word: string): ReadOption | undefined {
  const [name = ""] = word.slice(2).split("=", 1);
  const options = [`--${name}`];
  const isWhole = word === options[0];
  if (name === "" || !long.split(" ").includes(isWhole ? name : `${name}=`)) return undefined;
  return { options };
}

/** `-rn5`: letters without a value, and at the end one with it. */
function shortOptions(
  { flags = "", valued = "", isNumbered }: ProgramOptions,
  word: string,
): ReadOption | undefined {
  if (isNumbered && /^-\d+$/.test(word)) return { options: ["-1"] };
  const options: string[] = [];
  const letters = word.slice(1);
  for (const letter of letters) {
    options.push(`-${letter}`);
    if (valued.includes(letter)) return { options, value: letters.slice(options.length) };
    if (!flags.includes(letter)) return undefined;
  }
  return { options };
}
