import { readToolArguments } from "../../../shared/chat/toolArguments.ts";
import { type Members, membersOf } from "../../../shared/members.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";

/** A call that a model wrote as text. */
export interface WrittenCall {
  readonly name: string;
  /** A JSON object. */
  readonly arguments: string;
}

/** The form in which a family of models writes calls. A server that does not know it leaves them in the text. */
export interface CallForm {
  /** What a text in this form begins with. */
  readonly open: string;
  /** What follows, as far as it is there: a text that does not begin so is none of this form. */
  readonly begins: RegExp;
  /** The last characters of the form, where it has some. */
  readonly close?: string;
  /** True if the form is that of ordinary text, too, so that it counts only as the whole answer. */
  readonly isWhole?: boolean;
  /** The calls of a complete text, without `open`; undefined if it is not exactly in this form. */
  readonly read: (text: string, parametersOf: ParametersOf) => readonly WrittenCall[] | undefined;
}

/** The schema of a tool's arguments, by its name. */
export type ParametersOf = (name: string) => unknown;

/** `{"name": …, "arguments": {…}}`, as most families write it. */
function callIn(value: unknown): WrittenCall | undefined {
  const { name, tool_name, function: made, arguments: given, parameters, args } = membersOf(value);
  const inner = typeof made === "object" && made !== null ? membersOf(made) : {};
  const named = [name, tool_name, made, inner.name].find((one) => typeof one === "string");
  const input = given ?? parameters ?? args ?? inner.arguments ?? inner.parameters ?? {};
  const text = typeof input === "string" ? input : JSON.stringify(input);
  const read = readToolArguments(text);
  if (typeof named !== "string" || named === "" || read.kind === "invalid") return undefined;
  return { name: named.replace(/^functions\./, ""), arguments: read.text };
}

function all<Item>(items: readonly (Item | undefined)[]): readonly Item[] | undefined {
  const found = items.filter((item) => item !== undefined);
  return found.length > 0 && found.length === items.length ? found : undefined;
}

/** One object, mended where it can mean one thing, or a list of them. */
function jsonCalls(text: string): readonly WrittenCall[] | undefined {
  const value = parseJson(text);
  if (Array.isArray(value)) return all(value.map(callIn));
  const read = readToolArguments(text);
  return read.kind === "invalid" || text.trim() === "" ? undefined : all([callIn(parseJson(read.text))]);
}

function calls(name: string, text: string): WrittenCall | undefined {
  const read = readToolArguments(text);
  if (read.kind === "invalid") return undefined;
  return {
    name: name
      .trim()
      .replace(/^functions\./, "")
      .replace(/:\d+$/, ""),
    arguments: read.text,
  };
}

/** A value that was written between tags: as the schema of the tool says, else as JSON if it is some. */
function taggedValue(text: string, schema: unknown): unknown {
  const { type } = membersOf(schema);
  const value = text.replace(/^\n/, "").replace(/\n$/, "");
  if (type === "string") return value;
  return parseJson(value.trim()) ?? value;
}

function taggedArguments(
  name: string,
  pairs: Iterable<readonly [key: string, value: string]>,
  parametersOf: ParametersOf,
): string {
  const schemas = membersOf(membersOf(parametersOf(name)).properties);
  const entries = [...pairs].map(([key, value]) => [key, taggedValue(value, schemas[key])]);
  return JSON.stringify(Object.fromEntries(entries));
}

const functionTag = /^\s*<function=([^>\s]{1,100})>([\s\S]*?)<\/function>\s*$/;
const parameterTag = /\s*<parameter=([^>\s]{1,100})>([\s\S]*?)<\/parameter>\s*/y;
const argumentTag = /\s*<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>\s*/y;

/** The pairs that a text consists of; undefined if there is anything else. */
function pairsIn(text: string, tag: RegExp): readonly (readonly [string, string])[] | undefined {
  const pairs: (readonly [string, string])[] = [];
  const matcher = new RegExp(tag);
  while (text.slice(matcher.lastIndex).trim() !== "") {
    const found = matcher.exec(text);
    if (!found) return undefined;
    pairs.push([(found[1] ?? "").trim(), found[2] ?? ""]);
  }
  return pairs;
}

/** `<function=read_file><parameter=path>a.txt</parameter></function>`, of Qwen3-Coder. */
function functionCall(text: string, parametersOf: ParametersOf): WrittenCall | undefined {
  const [, name, inside] = functionTag.exec(text) ?? [];
  const pairs = inside === undefined ? undefined : pairsIn(inside, parameterTag);
  if (name === undefined || !pairs) return undefined;
  return { name, arguments: taggedArguments(name, pairs, parametersOf) };
}

/** `read_file<arg_key>path</arg_key><arg_value>a.txt</arg_value>`, of GLM. */
function keyedCall(text: string, parametersOf: ParametersOf): WrittenCall | undefined {
  const [, name, rest = ""] = /^\s*([\w.-]{1,100})\s*((?:<arg_key>[\s\S]*)?)$/.exec(text) ?? [];
  const pairs = pairsIn(rest, argumentTag);
  return name === undefined || !pairs
    ? undefined
    : { name, arguments: taggedArguments(name, pairs, parametersOf) };
}

/** Texts between pairs of tags, with white space between the pairs; the last end tag may be missing. */
function between(text: string, open: string, close: string): readonly string[] | undefined {
  const parts = text.split(open).map((part) => part.trim());
  const bodies = parts.map((part, index) => {
    if (part.endsWith(close)) return part.slice(0, -close.length);
    return index === parts.length - 1 && !part.includes(close) ? part : undefined;
  });
  return all(bodies);
}

const toolCall: CallForm = {
  open: "<tool_call>",
  begins: /^\s*(\{|<f|<$|[\w.-]+\s*(<arg_key|<\/tool_call|$|<)|$)/,
  close: "</tool_call>",
  read: (text, parametersOf) => {
    const bodies = between(text, "<tool_call>", "</tool_call>");
    const read = (body: string): WrittenCall | undefined => {
      if (!body.trimStart().startsWith("{"))
        return functionCall(body, parametersOf) ?? keyedCall(body, parametersOf);
      return jsonCalls(body)?.[0];
    };
    return bodies && all(bodies.map(read));
  },
};

const functionText: CallForm = {
  open: "<function=",
  begins: /^[\w.-]{0,100}(>|$)/,
  close: "</function>",
  read: (text, parametersOf) => {
    // Some write the end of a tag that they did not begin.
    const bare = text.replace(/\s*<\/tool_call>\s*$/, "");
    const bodies = between(bare, "<function=", "</function>");
    return bodies && all(bodies.map((body) => functionCall(`<function=${body}</function>`, parametersOf)));
  },
};

const toolCalls: CallForm = {
  open: "[TOOL_CALLS]",
  begins: /^\s*(\[|[\w.-]{1,100}\s*(\[ARGS|\[C|\[$|\[A|\{|$)|$)/,
  read: (text) => {
    if (text.trimStart().startsWith("[")) return jsonCalls(text);
    const parts = text.split("[TOOL_CALLS]");
    return all(
      parts.map((part) => {
        const [, name, given] =
          /^\s*([\w.-]{1,100})\s*(?:\[CALL_ID\]\w{1,40})?(?:\[ARGS\])?\s*(\{[\s\S]*)$/.exec(part) ?? [];
        return name === undefined || given === undefined ? undefined : calls(name, given);
      }),
    );
  },
};

const deepSeekCall =
  /^\s*(?:function<｜tool▁sep｜>([^\n<]{1,100})\n```json\n([\s\S]*?)\n?```|([^\n<]{1,100})<｜tool▁sep｜>([\s\S]*?))\s*$/;

const deepSeek: CallForm = {
  open: "<｜tool▁calls▁begin｜>",
  begins: /^\s*(<|$)/,
  close: "<｜tool▁calls▁end｜>",
  read: (text) => {
    const inside = text
      .trim()
      .replace(/<｜tool▁calls▁end｜>$/, "")
      .trim();
    if (!inside.startsWith("<｜tool▁call▁begin｜>")) return undefined;
    const bodies = between(
      inside.slice("<｜tool▁call▁begin｜>".length),
      "<｜tool▁call▁begin｜>",
      "<｜tool▁call▁end｜>",
    );
    const read = (body: string) => {
      const [, older, olderText, newer, newerText] = deepSeekCall.exec(body) ?? [];
      return calls(older ?? newer ?? "", olderText ?? newerText ?? "-");
    };
    return bodies && all(bodies.map(read));
  },
};

const harmonyCall = /to=([\w.-]{1,100})[\w<|> ]{0,60}<\|message\|>(\{[\s\S]*\})\s*(?:<\|call\|>)?\s*$/;

/** gpt-oss: the head of a message names the tool. */
const harmonyOf = (open: string): CallForm => ({
  open,
  begins: /^[^\n]{0,120}($|<\|message\|>)/,
  close: "<|call|>",
  read: (text) => {
    const [, name = "", given] = harmonyCall.exec(open + text) ?? [];
    return given === undefined ? undefined : all([calls(name, given)]);
  },
});

const listOf = (open: string, close?: string): CallForm => ({
  open,
  begins: /^\s*(\[|\{|$)/,
  ...(close === undefined ? {} : { close }),
  read: (text) => {
    const bare = text.trim();
    return jsonCalls(close !== undefined && bare.endsWith(close) ? bare.slice(0, -close.length) : bare);
  },
});

const kimi: CallForm = {
  open: "<|tool_calls_section_begin|>",
  begins: /^\s*(<|$)/,
  close: "<|tool_calls_section_end|>",
  read: (text) => {
    const inside = text
      .trim()
      .replace(/<\|tool_calls_section_end\|>$/, "")
      .trim();
    if (!inside.startsWith("<|tool_call_begin|>")) return undefined;
    const bodies = between(
      inside.slice("<|tool_call_begin|>".length),
      "<|tool_call_begin|>",
      "<|tool_call_end|>",
    );
    return (
      bodies &&
      all(
        bodies.map((body) => {
          const [name = "", given, ...others] = body.split("<|tool_call_argument_begin|>");
          return given === undefined || others.length > 0 ? undefined : calls(name, given);
        }),
      )
    );
  },
};

/** The first member of an object that is a call, or its beginning. */
const firstMember =
  '\\s*("(n|na|nam|t|ty|typ|f|fu|fun|func|funct|functi|functio)?$|"(name|type|function)("|$)|$)';
const begunObject = new RegExp(`^${firstMember}`);
const begunCall = new RegExp(`^\\s*(\\{${firstMember}|$)`);

/** Llama and Gemma write an object alone, with or without a code block. */
const fenced = (language: string, begins: RegExp): CallForm => ({
  open: `\`\`\`${language}\n`,
  begins,
  isWhole: true,
  read: (text) => {
    const [, inside] = /^([\s\S]*?)\n?```\s*$/.exec(text) ?? [];
    if (inside === undefined) return undefined;
    return language === "tool_code" ? all([pythonCall(inside)]) : jsonCalls(inside);
  },
});

const object: CallForm = {
  open: "{",
  begins: begunObject,
  isWhole: true,
  read: (text) => jsonCalls(`{${text}`),
};

const pythonArgument =
  /\s*([A-Za-z_]\w{0,60})\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d+(?:\.\d+)?|True|False|None)\s*(,|$)/y;
const pythonWords: Members = { True: true, False: false, None: null };

/** `read_file(path="a.txt")`, of Gemma: one call with named arguments that are plain values. */
function pythonCall(text: string): WrittenCall | undefined {
  const [, name, inside] = /^\s*(?:print\()?([A-Za-z_][\w.]{0,100})\(([\s\S]*?)\)\)?\s*$/.exec(text) ?? [];
  if (name === undefined || inside === undefined) return undefined;
  const given: Record<string, unknown> = {};
  const matcher = new RegExp(pythonArgument);
  while (inside.slice(matcher.lastIndex).trim() !== "") {
    const [, key = "", value = ""] = matcher.exec(inside) ?? [];
    if (key === "") return undefined;
    given[key] = value in pythonWords ? pythonWords[value] : pythonValue(value);
  }
  return { name, arguments: JSON.stringify(given) };
}

function pythonValue(text: string): unknown {
  if (!text.startsWith("'")) return parseJson(text);
  return parseJson(`"${text.slice(1, -1).replaceAll("\\'", "'").replaceAll('"', '\\"')}"`);
}

/** The forms, those that count anywhere at the end of an answer first. */
export const callForms: readonly CallForm[] = [
  toolCall,
  functionText,
  toolCalls,
  deepSeek,
  kimi,
  harmonyOf("<|channel|>commentary"),
  harmonyOf("<|start|>assistant<|channel|>commentary"),
  harmonyOf("<|start|>assistant to="),
  listOf("<|tool_call|>", "<|/tool_call|>"),
  listOf("<|python_tag|>"),
  listOf("functools"),
  listOf("<|START_ACTION|>", "<|END_ACTION|>"),
  fenced("json", begunCall),
  fenced("tool_call", begunCall),
  fenced("tool_code", /^[\w.]{0,100}(\(|\s*$)/),
  object,
];
