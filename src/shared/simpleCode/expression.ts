/**
 * The small expression language that TypeScript, JavaScript and Python share: enough to tell what a simple function
 * returns for an example, without running the user's code.
 */
export type Expression =
  | { readonly kind: "value"; readonly value: JsValue }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "text"; readonly parts: readonly (string | Expression)[] }
  | { readonly kind: "unary"; readonly operator: string; readonly operand: Expression }
  | {
      readonly kind: "binary";
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "choice"; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly kind: "member"; readonly object: Expression; readonly name: string; readonly isCall: boolean }
  | { readonly kind: "call"; readonly name: string; readonly values: readonly Expression[] };

export type JsValue = string | number | boolean;

/** Longer sources are not simple. */
const maxLength = 500;
const maxDepth = 20;

const token =
  /\s*(?:(?<number>\d+(?:\.\d+)?)|(?<template>`(?:[^`\\]|\\.)*`|\bf"(?:[^"\\]|\\.)*"|\bf'(?:[^'\\]|\\.)*')|(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<name>[A-Za-z_$][\w$]*)|(?<operator>===|!==|==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()]))/y;

interface Token {
  readonly kind: "number" | "template" | "string" | "name" | "operator";
  readonly text: string;
}

/** Undefined for anything outside the small language. */
export function parseExpression(source: string, depth = 0): Expression | undefined {
  const tokens = depth > 3 ? undefined : tokenize(source);
  if (!tokens || tokens.length === 0) return undefined;
  const reader = new Reader(tokens, depth);
  try {
    const expression = reader.expression();
    return reader.isAtEnd() ? expression : undefined;
  } catch (error) {
    if (error instanceof NotSimple) return undefined;
    throw error;
  }
}

class NotSimple extends Error {}

function tokenize(source: string): Token[] | undefined {
  const text = source.trim();
  if (text.length > maxLength) return undefined;
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at;
    const groups = token.exec(text)?.groups;
    const [kind, found] = Object.entries(groups ?? {}).find(([, one]) => one !== undefined) ?? [];
    if (kind === undefined || found === undefined) return undefined;
    tokens.push({ kind: kind as Token["kind"], text: found });
  }
  return tokens;
}

/** Binary operators, the loosest first; each row binds tighter than the one before. */
const levels: readonly (readonly string[])[] = [
  ["||", "or"],
  ["&&", "and"],
  ["===", "!==", "==", "!="],
  ["<", "<=", ">", ">="],
  ["+", "-"],
  ["*", "/", "%"],
];

class Reader {
  readonly #tokens: readonly Token[];
  readonly #templateDepth: number;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], templateDepth: number) {
    this.#tokens = tokens;
    this.#templateDepth = templateDepth;
  }

  isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  expression(): Expression {
    if (++this.#depth > maxDepth) throw new NotSimple();
    const test = this.#binary(0);
    const result = this.#take("?") ? this.#choice(test) : test;
    this.#depth -= 1;
    return result;
  }

  #choice(test: Expression): Expression {
    const yes = this.expression();
    this.#expect(":");
    return { kind: "choice", test, yes, no: this.expression() };
  }

  #binary(level: number): Expression {
    const operators = levels[level];
    if (!operators) return this.#unary();
    let left = this.#binary(level + 1);
    for (let operator = this.#take(...operators); operator; operator = this.#take(...operators)) {
      left = { kind: "binary", operator, left, right: this.#binary(level + 1) };
    }
    return left;
  }

  #unary(): Expression {
    const operator = this.#take("-", "!", "not");
    if (!operator) return this.#postfix(this.#primary());
    if (++this.#depth > maxDepth) throw new NotSimple();
    const operand = this.#unary();
    this.#depth -= 1;
    return { kind: "unary", operator, operand };
  }

  #postfix(first: Expression): Expression {
    let object = first;
    while (this.#take(".")) {
      const name = this.#next();
      if (name.kind !== "name") throw new NotSimple();
      const isCall = this.#take("(") !== undefined;
      if (isCall) this.#expect(")");
      object = { kind: "member", object, name: name.text, isCall };
    }
    return object;
  }

  #primary(): Expression {
    const { kind, text } = this.#next();
    if (kind === "number") return { kind: "value", value: Number(text) };
    if (kind === "string") return { kind: "value", value: unescaped(text.slice(1, -1)) };
    if (kind === "template") return this.#template(text);
    if (kind === "name") return this.#name(text);
    if (text !== "(") throw new NotSimple();
    const inner = this.expression();
    this.#expect(")");
    return inner;
  }

  #name(name: string): Expression {
    if (/^(true|false|True|False)$/.test(name)) return { kind: "value", value: /^t/i.test(name) };
    if (/^(null|undefined|None|new|await|typeof|this|function|lambda|in|is|if|else|and|or)$/.test(name)) {
      throw new NotSimple();
    }
    if (!this.#take("(")) return { kind: "name", name };
    const values: Expression[] = [];
    while (!this.#take(")")) {
      if (values.length > 0) this.#expect(",");
      values.push(this.expression());
    }
    return { kind: "call", name, values };
  }

  #template(text: string): Expression {
    const isPython = text.startsWith("f");
    const inner = text.slice(isPython ? 2 : 1, -1);
    const hole = isPython ? /\{([^{}]*)\}/ : /\$\{([^{}]*)\}/;
    const parts = inner.split(hole).map((part, index) => {
      if (index % 2 === 0) return unescaped(part);
      const expression = parseExpression(part, this.#templateDepth + 1);
      if (!expression) throw new NotSimple();
      return expression;
    });
    return { kind: "text", parts };
  }

  #next(): Token {
    const found = this.#tokens[this.#at++];
    if (!found) throw new NotSimple();
    return found;
  }

  #take(...texts: readonly string[]): string | undefined {
    const found = this.#tokens[this.#at];
    if (!found || found.kind === "string" || found.kind === "template" || !texts.includes(found.text)) {
      return undefined;
    }
    this.#at += 1;
    return found.text;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new NotSimple();
  }
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
]);

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (whole, sign: string) => {
    if (/[ux0-9r]/.test(sign)) throw new NotSimple();
    return escapes.get(sign) ?? (/\w/.test(sign) ? whole : sign);
  });
}

export interface Scope {
  readonly values: ReadonlyMap<string, JsValue>;
  /** Calls a function that is known; undefined where it is not, or its result can't be told. */
  readonly call: (name: string, values: readonly JsValue[]) => JsValue | undefined;
}

/** The value of an expression; undefined where it can't be told for certain. */
export function evaluate(expression: Expression, scope: Scope): JsValue | undefined {
  switch (expression.kind) {
    case "value":
      return expression.value;
    case "name":
      return scope.values.get(expression.name);
    case "text":
      return joined(expression.parts, scope);
    case "unary":
      return unary(expression.operator, evaluate(expression.operand, scope));
    case "binary":
      return binary(expression.operator, evaluate(expression.left, scope), evaluate(expression.right, scope));
    case "choice": {
      const test = evaluate(expression.test, scope);
      if (typeof test !== "boolean") return undefined;
      return evaluate(test ? expression.yes : expression.no, scope);
    }
    case "member":
      return member(evaluate(expression.object, scope), expression);
    case "call": {
      const values = expression.values.map((one) => evaluate(one, scope));
      return values.every((one) => one !== undefined) ? scope.call(expression.name, values) : undefined;
    }
  }
}

function joined(parts: readonly (string | Expression)[], scope: Scope): string | undefined {
  const texts = parts.map((part) => (typeof part === "string" ? part : evaluate(part, scope)));
  // Languages differ in how they write booleans and fractions.
  const isClear = texts.every((one) => typeof one === "string" || Number.isSafeInteger(one));
  return isClear ? texts.join("") : undefined;
}

function unary(operator: string, value: JsValue | undefined): JsValue | undefined {
  if (operator === "-") return typeof value === "number" ? -value : undefined;
  return typeof value === "boolean" ? !value : undefined;
}

function binary(
  operator: string,
  left: JsValue | undefined,
  right: JsValue | undefined,
): JsValue | undefined {
  if (left === undefined || right === undefined || typeof left !== typeof right) return undefined;
  if (/^[=!]==?$/.test(operator)) return (left === right) === operator.startsWith("=");
  if (typeof left === "boolean" && typeof right === "boolean") {
    if (/^(&&|and)$/.test(operator)) return left && right;
    return /^(\|\||or)$/.test(operator) ? left || right : undefined;
  }
  if (typeof left === "string" && typeof right === "string")
    return operator === "+" ? left + right : undefined;
  return typeof left === "number" && typeof right === "number" ? calculate(operator, left, right) : undefined;
}

function calculate(operator: string, left: number, right: number): JsValue | undefined {
  const results: Readonly<Record<string, JsValue>> = {
    "+": left + right,
    "-": left - right,
    "*": left * right,
    "/": left / right,
    "%": left % right,
    "<": left < right,
    "<=": left <= right,
    ">": left > right,
    ">=": left >= right,
  };
  const result = Object.hasOwn(results, operator) ? results[operator] : undefined;
  // Languages differ in division by zero, in negative remainders and in how they write fractions.
  return typeof result === "number" && !Number.isSafeInteger(result) ? undefined : result;
}

function member(
  object: JsValue | undefined,
  { name, isCall }: { readonly name: string; readonly isCall: boolean },
): JsValue | undefined {
  if (typeof object !== "string") return undefined;
  if (!isCall) return name === "length" ? object.length : undefined;
  if (/^(toUpperCase|upper)$/.test(name)) return object.toUpperCase();
  if (/^(toLowerCase|lower)$/.test(name)) return object.toLowerCase();
  return /^(trim|strip)$/.test(name) ? object.trim() : undefined;
}

/** All names that an expression reads, in their order. */
export function namesIn(expression: Expression): readonly string[] {
  switch (expression.kind) {
    case "value":
      return [];
    case "name":
      return [expression.name];
    case "text":
      return expression.parts.flatMap((part) => (typeof part === "string" ? [] : namesIn(part)));
    case "unary":
      return namesIn(expression.operand);
    case "binary":
      return [...namesIn(expression.left), ...namesIn(expression.right)];
    case "choice":
      return [expression.test, expression.yes, expression.no].flatMap(namesIn);
    case "member":
      return namesIn(expression.object);
    case "call":
      return expression.values.flatMap(namesIn);
  }
}
