// Named results that are kept as secrets: they can be used in lines, but are not shown, stored or reported.
import { isSecretName } from "../encode/secretValue.ts";
import { watchesLogs } from "../parse/directives.ts";
import type { Cell, LinesCell } from "../parse/parseCell.ts";
import { type Definition, directivesOf, type Project, requestsOf, textOf } from "../project.ts";
import { secretForms } from "./environments.ts";

/** Words that no public result of a chain has in its name. Others, such as `key` and `seed`, name public data, too. */
const secretWords = /(?:^|_)(?:SECRETS?|PASSWORD|PASSPHRASE|MNEMONIC|PRIVATE_?KEY)(?:_|$)/;

/** True for a result that its cell names in `@secret`, or whose name says so: `$secret`, `$private_key`. */
export function isSecretResult({ cells }: Project, { cell: index, request, text }: Definition): boolean {
  const cell = cells[index]?.cell;
  if (!request || cell?.form !== "lines") return false;
  return namedSecrets(cell).includes(text) || (saysSo(text) && !watchesLogs(cell));
}

/** The arguments of the cell's `@secret`. */
function namedSecrets(cell: Cell): readonly string[] {
  return directivesOf(cell, "secret").flatMap(({ statement }) => statement.args.flatMap(textOf));
}

function saysSo(name: string): boolean {
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1_$2").toUpperCase();
  return isSecretName(name) && secretWords.test(words);
}

/** Why the `@secret` of a cell can't be kept; undefined if it can. */
export function secretProblem(cell: LinesCell): string | undefined {
  const names = requestsOf(cell).flatMap(({ statement }) => statement.name?.text ?? []);
  const unknown = namedSecrets(cell).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const own = names.length > 0 ? `This cell names ${names.slice(0, 10).join(", ")}` : "Name one: x = …";
    return `@secret names results of this cell, and it has no result ${unknown.slice(0, 60)}. ${own}`;
  }
  const [shown] = watchesLogs(cell) ? names.filter((name) => namedSecrets(cell).includes(name)) : [];
  return shown === undefined ? undefined : `@watch logs shows its logs, so ${shown} can't be a secret`;
}

/** The forms of a result in which a node may quote it: of its texts and numbers, and of the words of its bytes. */
export function formsOfResult(value: unknown): readonly string[] {
  if (typeof value === "string") return [value, ...wordsIn(value), ...paddedWord(value)].flatMap(secretForms);
  if (typeof value === "number" || typeof value === "bigint") return secretForms(String(value));
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(formsOfResult);
}

/** A quantity as calldata has it. */
function paddedWord(value: string): readonly string[] {
  const digits = /^0x([0-9a-fA-F]{4,64})$/.exec(value)?.[1];
  return digits === undefined ? [] : [`0x${digits.padStart(64, "0")}`];
}

/** The 32-byte words of encoded bytes: as a number, and as a text if they are one. */
function wordsIn(value: string): readonly string[] {
  const digits = /^0x((?:[0-9a-fA-F]{64}){1,64})$/.exec(value)?.[1] ?? "";
  return (digits.match(/.{64}/g) ?? []).flatMap((word) => {
    const number = word.replace(/^0+/, "");
    const codes = (word.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
    // The bytes of a text stand at the beginning of a word.
    while (codes.at(-1) === 0) codes.pop();
    const isText = codes.length > 0 && codes.every((code) => code >= 0x20 && code < 0x7f);
    return [
      ...(number === "" ? [] : [`0x${number}`, String(BigInt(`0x${word}`))]),
      ...(isText ? [String.fromCharCode(...codes)] : []),
    ];
  });
}
