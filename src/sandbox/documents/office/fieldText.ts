import { hex as dingbat } from "dingbat-to-unicode";
import { raisedText } from "./raisedText.ts";

/**
 * What a field shows that has no stored result: a symbol, the text of a button, or an old formula, by which East Asian
 * documents also have circled numbers and the text above characters. Empty for all others, which show nothing.
 */
export function fieldText(code: string): string {
  const [, name = "", rest = ""] = /^\s*([a-z]+)\s*([\s\S]*)$/i.exec(code) ?? [];
  switch (name.toUpperCase()) {
    case "SYMBOL":
      return symbolText(rest);
    case "MACROBUTTON":
    case "GOTOBUTTON":
      return rest.replace(/^\S+\s*/, "").trim();
    case "EQ":
      return new FormulaReader(rest.replace(/\\\*\s*(?:"[^"]*"|\S+)/g, "").trim()).text();
    default:
      return "";
  }
}

function symbolText(rest: string): string {
  const [, digits = ""] = /^"?(0x[0-9a-f]+|\d+|.)"?/i.exec(rest) ?? [];
  const code = Number.isNaN(Number(digits)) ? digits.codePointAt(0) : Number(digits);
  if (code === undefined || code <= 0 || code > 0x10ffff) return "";
  const [, quoted, plain] = /\\f\s*(?:"([^"]*)"|(\S+))/i.exec(rest) ?? [];
  const known = dingbat(quoted ?? plain ?? "", (code & 0xff).toString(16).toUpperCase())?.string;
  if (known !== undefined && (code < 0x100 || code >= 0xf000)) return known;
  if (/\\u\b/i.test(rest) || code > 255) return String.fromCodePoint(code);
  return new TextDecoder("windows-1252").decode(Uint8Array.of(code));
}

/** Deeper formulas are errors of the file. */
const maxDepth = 30;

/** A command with its options and arguments, such as `\s\up 9(a)`. */
interface Command {
  readonly name: string;
  readonly options: string;
  readonly args: readonly string[];
}

/** Reads the formula of a field (17.16.5.22) as text on one line. */
class FormulaReader {
  readonly #code: string;
  #index = 0;

  constructor(code: string) {
    this.#code = code;
  }

  text(): string {
    return this.#sequence(0, false);
  }

  /** Up to the end, or within arguments to the sign that ends one. */
  #sequence(depth: number, isArgument: boolean): string {
    let text = "";
    while (this.#index < this.#code.length) {
      const sign = this.#code[this.#index] ?? "";
      if (isArgument && /[,;)]/.test(sign)) break;
      if (sign === "\\" && /[a-z]/i.test(this.#code[this.#index + 1] ?? "")) text += this.#command(depth + 1);
      else {
        // A backslash before another sign stands for that sign.
        if (sign === "\\") this.#index += 1;
        text += this.#code[this.#index] ?? "";
        this.#index += 1;
      }
    }
    return text;
  }

  #command(depth: number): string {
    const [whole = "", name = "", options = ""] =
      /^\\([a-z]+)((?:\s*\\[a-z]+(?:\\[^a-z])?[^\\(,;)]*)*)/i.exec(this.#code.slice(this.#index)) ?? [];
    this.#index += Math.max(1, whole.length);
    if (this.#code[this.#index] !== "(" || depth > maxDepth) return "";
    const args: string[] = [];
    do {
      this.#index += 1;
      args.push(this.#sequence(depth, true).trim());
    } while (/[,;]/.test(this.#code[this.#index] ?? ""));
    this.#index += 1;
    return written({ name: name.toLowerCase(), options: options.toLowerCase(), args });
  }
}

function written({ name, options, args }: Command): string {
  const [first = "", second = ""] = args;
  switch (name) {
    case "f":
      return `${grouped(first)}/${grouped(second)}`;
    case "r":
      return args.length < 2 ? `√${grouped(first)}` : `${grouped(second)}^(1/${first})`;
    case "s":
      return positioned(options, args);
    case "o":
      return overlaid(options, args);
    case "b":
      return bracketed(options, first);
    case "i":
      return `${options.includes("\\su") ? "∑" : "∫"}${first && `_(${first})`}${second && `^(${second})`} ${args[2] ?? ""}`;
    default:
      return args.join(", ");
  }
}

function grouped(text: string): string {
  return /^[\p{L}\p{N}.]*$/u.test(text) ? text : `(${text})`;
}

function positioned(options: string, args: readonly string[]): string {
  const isBelow = options.includes("\\do");
  return args
    .map((text, index) => raisedText(text, isBelow || index > 0 ? "subscript" : "superscript"))
    .join("");
}

/** Two texts over each other: a sign around a number, or small text above its characters. */
function overlaid(options: string, args: readonly string[]): string {
  const [first = "", second = ""] = args;
  if (args.length !== 2) return args.join("");
  if (options.includes("\\ad")) return `${second}(${first})`;
  const number = Number(second);
  if (/^[○◯O]$/.test(first) && Number.isInteger(number) && number > 0 && number <= 20)
    return String.fromCodePoint(0x245f + number);
  return /^[○◯□△◇]$/.test(first) ? `(${second})` : first + second;
}

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

function bracketed(options: string, content: string): string {
  const sign = (side: string) => new RegExp(`\\\\${side}\\s*\\\\(.)`).exec(options)?.[1];
  const both = sign("bc");
  const isOneSided = /\\[lr]c/.test(options) && both === undefined;
  const open = sign("lc") ?? both ?? (isOneSided ? "" : "(");
  return `${open}${content}${sign("rc") ?? (isOneSided ? "" : (closing[open] ?? open))}`;
}
