// Members of VS Code's language-model API that the types of the oldest supported version lack. Stable versions read them
// if they know them and ignore them otherwise. `capabilities.editTools` is not among them: the editor refuses it.
import * as vscode from "vscode";
import type { ModelCard } from "../../shared/chat/chatModels.ts";

interface UntypedFacts {
  readonly card: ModelCard;
  /** Heading of the model in the list of models. */
  readonly group: { readonly label: string; readonly order: number };
  readonly pricing: string | undefined;
}

/** Members of a model's information: shown in the picker, paid with the user's key, levels of reasoning. */
export function untypedInformation({ card, group, pricing }: UntypedFacts): object {
  return {
    isUserSelectable: true,
    isBYOK: true,
    category: group,
    ...(pricing ? { pricing } : {}),
    ...(card.reasoningEfforts.length > 0 ? { configurationSchema: effortSchema(card.reasoningEfforts) } : {}),
  };
}

const effortMember = "reasoningEffort";
/** The editor sends the default with each request although the user chose none, so it must not be a level. */
const noEffort = "default";

function effortSchema(efforts: readonly string[]): object {
  const levels = [noEffort, ...efforts.filter((effort) => effort !== noEffort)];
  return {
    type: "object",
    properties: {
      [effortMember]: {
        type: "string",
        title: "Reasoning Effort",
        description: "More effort takes longer and costs more.",
        enum: levels,
        enumItemLabels: levels.map((level) => level.charAt(0).toUpperCase() + level.slice(1)),
        default: noEffort,
        group: "navigation",
      },
    },
  };
}

/** The level of reasoning that the user chose in the editor's chat. */
export function chosenEffort(options: object): string | undefined {
  const chosen = memberOf(memberOf(options, "modelConfiguration"), effortMember);
  return typeof chosen === "string" && chosen !== noEffort ? chosen : undefined;
}

/** The editor, and the extension that is its own chat. Older versions of the editor install it from the marketplace. */
const editorsOwn: ReadonlySet<string> = new Set(["", "core", "github.copilot-chat"]);

/** Id of the extension that sent the request, in lower case; undefined for the editor's own chat. */
export function requestingExtension(options: object): string | undefined {
  const initiator = memberOf(options, "requestInitiator");
  const id = typeof initiator === "string" ? initiator.toLowerCase() : "";
  return editorsOwn.has(id) ? undefined : id;
}

type Thinking = new (text: string) => vscode.LanguageModelTextPart & { readonly value: string | string[] };

function thinkingClass(): Thinking | undefined {
  const found = memberOf(vscode, "LanguageModelThinkingPart");
  return typeof found === "function" ? (found as Thinking) : undefined;
}

/** A part that shows reasoning; undefined where the editor has none. */
export function thinkingPart(text: string): vscode.LanguageModelResponsePart | undefined {
  const Part = thinkingClass();
  return Part && new Part(text);
}

/** The reasoning of a part that the editor hands back; undefined for other parts. */
export function thinkingText(part: unknown): string | undefined {
  const Part = thinkingClass();
  if (!Part || !(part instanceof Part)) return undefined;
  return [part.value].flat().join("");
}

/** The types have only the named errors; the editor marks other errors of a model as `Unknown`, with their cause. */
export function unknownError(sentence: string, cause: unknown): vscode.LanguageModelError {
  return Reflect.construct(vscode.LanguageModelError, [sentence, "Unknown", cause]);
}

/** The types have two roles. Extensions that may use the third send `System`. */
export const systemRole = 3;

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
