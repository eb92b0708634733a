import {
  functions,
  measures,
  type Name,
  type Operator,
  operators,
  type Statement,
  sugar,
  units,
  type Value,
} from "./nodes.ts";
import { parseValue } from "./parseValue.ts";
import { TokenReader } from "./tokens/tokenReader.ts";
import { tokenizeStatement } from "./tokens/tokens.ts";

/** Parses the statement at `start`. Never throws; the statement is never empty. */
export function parseStatement(text: string, start: number): Statement {
  const { tokens, length } = tokenizeStatement(text, start);
  const significant = tokens.filter(({ kind }) => kind !== "newline" && kind !== "comment");
  const last = significant.at(-1);
  if (!last) {
    const [comment] = tokens.filter(({ kind }) => kind === "comment");
    return { kind: comment ? "comment" : "blank", length, end: comment?.end ?? 0, problems: [] };
  }
  const reader = new TokenReader(significant);
  return { ...parseBody(reader), length, end: last.end, problems: reader.problems };
}

type Body<S = Statement> = S extends Statement ? Omit<S, "length" | "end" | "problems"> : never;

function parseBody(reader: TokenReader): Body {
  if (reader.takeMark("@")) return parseDirective(reader);
  const named = reader.next(1)?.text === "=" && reader.next()?.kind === "word";
  if (!named && reader.next()?.text === "expect") return parseExpectation(reader);
  if (!named) return parseRequest(reader);
  const name = reader.takeWord();
  reader.takeMark("=");
  const value = reader.next();
  const isRequest = value?.kind === "word" && isMethodName(value.text);
  return isRequest ? { ...parseRequest(reader), name } : parseConstant(reader, name);
}

function parseDirective(reader: TokenReader): Body {
  const { end } = reader;
  const word = reader.next()?.kind === "word" ? reader.takeWord() : { text: "", start: end, end };
  if (word.text === "") reader.problem(word, "The name of a directive is missing after @");
  const args: Value[] = [];
  while (reader.next()) {
    args.push(word.text === "idempotency" ? parseKey(reader) : parseValue(reader, 0));
    reader.takeMark(",");
  }
  return { kind: "directive", word, args };
}

/** Text without quotes may look like numbers: `2026-11-26-a`. */
function parseKey(reader: TokenReader): Value {
  const next = reader.next();
  if (next?.kind === "string" || next?.kind === "variable") return parseValue(reader, 0);
  const { text, start, end } = reader.takeJoined();
  return { kind: "word", text, start, end };
}

function parseConstant(reader: TokenReader, name: Name): Body {
  const value = parseValue(reader, 0);
  const rest = reader.next();
  if (rest) {
    const unit = unitMeant(value, rest.text);
    const message = unit === undefined ? "A name can have only one value" : notUnit(rest.text, unit);
    reader.problem({ start: rest.start, end: reader.skipAll() }, message);
  }
  return { kind: "constant", name, value };
}

function parseRequest(reader: TokenReader): Body & { readonly kind: "request" } {
  const first = reader.next();
  if (first?.kind !== "word") {
    const place = { start: first?.start ?? reader.end, end: first?.end ?? reader.end };
    reader.problem(place, "A line must start with a method, such as eth_blockNumber, or with a name and =");
    reader.skipAll();
    return { kind: "request", method: { text: "", ...place }, args: [] };
  }
  const method = reader.takeWord();
  const args: Value[] = [];
  let grouped = 0;
  for (let next = reader.next(); next; next = reader.next()) {
    if (next.start >= grouped) grouped = checkThousands(reader);
    args.push(parseValue(reader, 0, true));
    checkUnit(reader, args.at(-1));
    reader.takeMark(",");
  }
  return { kind: "request", method, args };
}

/** `1 eth` would be two values. */
function checkUnit(reader: TokenReader, value: Value | undefined): void {
  const next = reader.next();
  const isLike = next !== undefined && /^(?:eths?|ethers?|gweis?|weis?|sols?|lamports?)$/i.test(next.text);
  const unit = value && isLike ? unitMeant(value, next.text) : undefined;
  if (next && unit !== undefined) reader.problem(next, notUnit(next.text, unit));
}

/** The unit that is meant by a word behind a number. */
function unitMeant(value: Value, word: string): string | undefined {
  const isBare = value.kind === "number" && value.unit === undefined && /^[A-Za-z]+$/.test(word);
  return isBare ? unitsLike(word)[0] : undefined;
}

function notUnit(word: string, unit: string): string {
  return `${word} is not a unit. Write ${unit}`;
}

/** `20,000,000` would be three values, `1,000` the values 1 and 0. Returns the end of such a number, else 0. */
function checkThousands(reader: TokenReader): number {
  const first = reader.next();
  if (first?.kind !== "number" || !/^-?\d{1,3}$/.test(first.text)) return 0;
  const groups: string[] = [];
  let { end } = first;
  for (let at = 1; ; at += 2) {
    const [comma, group] = [reader.next(at), reader.next(at + 1)];
    const isGroup = comma?.text === "," && comma.start === end && group?.start === comma.end;
    if (!isGroup || !/^\d{3}$/.test(group.text)) break;
    groups.push(group.text);
    end = group.end;
  }
  if (groups.length < 2 && !groups[0]?.startsWith("0")) return 0;
  const [written, meant] = [",", "_"].map((mark) => [first.text, ...groups].join(mark));
  const several = `${written} would be ${groups.length + 1} values. Write ${meant} for one number, or spaces between values`;
  reader.problem({ start: first.start, end }, several);
  return end;
}

/** `expect SUBJECT OPERATOR OBJECT`, `expect error "text"`, `expect $name error "text"`. */
function parseExpectation(reader: TokenReader): Body & { readonly kind: "expect" } {
  reader.take();
  if (reader.next()?.text === "error") {
    const operator = reader.takeWord();
    const subject = { kind: "word", text: "error", start: operator.start, end: operator.end } as const;
    return { kind: "expect", subject, operator, ...objectOf("error", reader) };
  }
  const subject = parseValue(reader, 0);
  const operator = parseOperator(reader, subject);
  return { kind: "expect", subject, operator, ...objectOf(operator.text, reader, subject) };
}

function parseOperator(reader: TokenReader, { kind, end }: Value): Name {
  const token = reader.next();
  if (token && operatorWords.has(token.text)) return reader.takeWord();
  const place = token ?? { start: end, end };
  // A missing subject is a problem already.
  if (kind !== "missing")
    reader.problem(
      place,
      `${token ? `${token.text} is no operator` : "An operator is missing"}. ${operatorList}`,
    );
  return { text: "", start: place.start, end: reader.skipAll() };
}

/** The other side, and a word after it that only says what is counted: `cost < 100 credits`. */
function objectOf(operator: Operator | string, reader: TokenReader, subject?: Value) {
  const isAlone = operator === "is-null" || operator === "" || (operator === "error" && !reader.next());
  const object = isAlone ? undefined : parseValue(reader, 0);
  const unit = unitOfMeasure.get(subject?.kind === "word" ? subject.text : "");
  if (unit !== undefined && reader.next()?.text === unit) reader.take();
  const rest = reader.next();
  if (rest) {
    const message = afterExpectation(rest.text, reader.next(1)?.text, object);
    reader.problem({ start: rest.start, end: reader.skipAll() }, message);
  }
  return object ? { object } : {};
}

/** Why nothing may follow. `&&` is two marks that the language has not. */
function afterExpectation(text: string, next: string | undefined, object: Value | undefined): string {
  const isJoin = /^(?:and|or)$/i.test(text) || ((text === "&" || text === "|") && next === text);
  if (isJoin) return "An expectation compares two values. Write the second one as an expect line of its own";
  const unit = object && unitMeant(object, text);
  return unit === undefined ? "An expectation ends here" : notUnit(text, unit);
}

/** The units that begin as a word does, or that it begins with: `eth`, `gweis`. */
function unitsLike(word: string): readonly string[] {
  const text = word.toLowerCase().replace(/s$/, "");
  return Object.keys(units).filter((unit) => unit.startsWith(text) || text.startsWith(unit));
}

const operatorWords: ReadonlySet<string> = new Set(operators);
const operatorList = `Use one of ${operators.join(" ")}`;
const [gas, cost] = measures;
const unitOfMeasure: ReadonlyMap<string, string> = new Map([
  [gas, "gas"],
  [cost, "credits"],
]);

const sugarWords: ReadonlySet<string> = new Set(sugar);
const functionWords: ReadonlySet<string> = new Set(functions);

/** True for a method: `eth_call`, `logs`, and names of Solana, which have no namespace and no digits, unlike its keys. */
function isMethodName(word: string): boolean {
  if (functionWords.has(word)) return false;
  return (
    /^[a-z][A-Za-z0-9]*_\w+$/.test(word) ||
    sugarWords.has(word) ||
    /^(?:get|is|minimum|send|simulate)[A-Z][A-Za-z]*$/.test(word)
  );
}
