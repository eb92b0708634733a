import { type Members, membersOf } from "../../../../shared/members.ts";
import { visibleLine } from "../../../../shared/text/html/visibleText.ts";
import { shortened } from "../../../../shared/text/shortened.ts";

export type FormValue = string | number | boolean | string[];

interface FormChoice {
  readonly value: string;
  readonly label: string;
}

/** A field of a server's form, as one question to the user. */
export interface FormQuestion {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly field:
    | { readonly kind: "text"; readonly default: string; read(text: string): FormRead }
    | {
        readonly kind: "choice";
        readonly choices: readonly FormChoice[];
        readonly default: string | undefined;
      }
    | {
        readonly kind: "choices";
        readonly choices: readonly FormChoice[];
        readonly default: readonly string[];
      }
    | { readonly kind: "switch"; readonly default: boolean };
}

/** The value of a typed text, or what is wrong with it; neither for an empty one. */
type FormRead = { readonly value?: FormValue; readonly problem?: string };

/** Asks one question. Undefined: the user ends the form. `null`: left empty. */
export type AskQuestion = (question: FormQuestion) => Promise<FormValue | null | undefined>;

const maxFields = 10;
const maxChoices = 50;
const maxTextLength = 10_000;
/** What a server must not ask for in a form (MCP specification, elicitation). */
const secret =
  /pass(?:word|phrase|code)|secret|token|api[\s_-]?key|private[\s_-]?key|credential|\bpin\b|\bcvv\b|\bcvc\b|seed[\s_-]?phrase|mnemonic|credit[\s_-]?card/i;

/** The questions of a form, or why it is declined, as the end of a sentence. */
export function questionsOf(schema: unknown, message: string): readonly FormQuestion[] | string {
  const { properties, required } = membersOf(schema);
  const fields = Object.entries(membersOf(properties));
  if (fields.length > maxFields) return `its form has more than ${maxFields} fields`;
  const names = new Set(Array.isArray(required) ? required : []);
  const questions = fields.map(([name, field]) => toQuestion(name, membersOf(field), names.has(name)));
  if (questions.includes(undefined)) return "its form has a field of an unknown type";
  const asksSecret = fields.some(([name, field]) => secret.test(`${name} ${JSON.stringify(field)}`));
  if (asksSecret || secret.test(message)) return "it asks for a secret, which servers must not";
  return questions.filter((question) => question !== undefined);
}

function toQuestion(name: string, field: Members, isRequired: boolean): FormQuestion | undefined {
  const { title, description } = field;
  const shown = typeof title === "string" && title !== "" ? title : name;
  const read = toField(field);
  return (
    read && {
      name,
      title: shortened(visibleLine(shown), 100),
      description: shortened(visibleLine(typeof description === "string" ? description : ""), 500),
      isRequired,
      field: read,
    }
  );
}

function toField(field: Members): FormQuestion["field"] | undefined {
  const { type, default: given, items } = field;
  const choices = choicesOf(field);
  if (choices) {
    const isKnown = choices.some(({ value }) => value === given);
    return { kind: "choice", choices, default: isKnown ? String(given) : undefined };
  }
  if (type === "array") {
    const several = choicesOf(membersOf(items));
    const chosen = Array.isArray(given) ? given.filter((one): one is string => typeof one === "string") : [];
    return several && { kind: "choices", choices: several, default: chosen };
  }
  if (type === "boolean") return { kind: "switch", default: given === true };
  const written = typeof given === "string" || typeof given === "number" ? String(given) : "";
  if (type === "string") return { kind: "text", default: written, read: (text) => readText(text, field) };
  if (type === "number" || type === "integer")
    return { kind: "text", default: written, read: (text) => readNumber(text, field) };
  return undefined;
}

/** The values of an enumeration, with titles in one of the three forms of the specification. */
function choicesOf({ enum: values, enumNames, oneOf, anyOf }: Members): readonly FormChoice[] | undefined {
  const titled = Array.isArray(oneOf) ? oneOf : anyOf;
  const labels = Array.isArray(enumNames) ? enumNames : [];
  const pairs = Array.isArray(values)
    ? values.map((value, index) => [value, labels[index] ?? value])
    : Array.isArray(titled)
      ? titled.map(membersOf).map((one) => [one.const, one.title ?? one.const])
      : undefined;
  if (!pairs || pairs.length === 0 || pairs.length > maxChoices) return undefined;
  return pairs.map(([value, label]) => ({
    value: String(value),
    label: shortened(visibleLine(String(label)), 100),
  }));
}

function readText(text: string, { minLength, maxLength, format }: Members): FormRead {
  if (text === "") return {};
  const [least, most] = [numberOr(minLength, 0), Math.min(numberOr(maxLength, maxTextLength), maxTextLength)];
  if (text.length < least) return { problem: `At least ${least} characters` };
  if (text.length > most) return { problem: `At most ${most} characters` };
  if (format === "email" && !/^[^\s@]+@[^\s@]+$/.test(text)) return { problem: "An e-mail address" };
  if (format === "uri" && !URL.canParse(text)) return { problem: "A URL" };
  if (format === "date" && !/^\d{4}-\d{2}-\d{2}$/.test(text))
    return { problem: "A date, such as 2026-03-01" };
  if (format === "date-time" && Number.isNaN(Date.parse(text)))
    return { problem: "A time, such as 2026-03-01T12:00:00Z" };
  return { value: text };
}

function readNumber(text: string, { type, minimum, maximum }: Members): FormRead {
  if (text.trim() === "") return {};
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: "A number" };
  if (type === "integer" && !Number.isInteger(value)) return { problem: "A whole number" };
  if (value < numberOr(minimum, -Infinity)) return { problem: `At least ${String(minimum)}` };
  if (value > numberOr(maximum, Infinity)) return { problem: `At most ${String(maximum)}` };
  return { value };
}

function numberOr(value: unknown, other: number): number {
  return typeof value === "number" ? value : other;
}

/** Asks all questions in their order; undefined if the user ends the form. */
export async function askForm(
  questions: readonly FormQuestion[],
  ask: AskQuestion,
): Promise<Record<string, FormValue> | undefined> {
  const values: [string, FormValue][] = [];
  for (const question of questions) {
    const value = await ask(question);
    if (value === undefined) return undefined;
    if (value !== null) values.push([question.name, value]);
  }
  return Object.fromEntries(values);
}
