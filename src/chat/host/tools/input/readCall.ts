import {
  freeTextInput,
  readToolArguments,
  toolArgumentsProblem,
} from "../../../../shared/chat/toolArguments.ts";
import { isMembers, type Members, membersOf, optionalMember } from "../../../../shared/members.ts";
import { parseJson } from "../../../../shared/text/json/parseJson.ts";
import { acceptInput } from "../../../../tools/input/acceptInput.ts";
import { inputFaults, refusedInput } from "../../../../tools/input/inputFaults.ts";
import type { PathRoots } from "../../../../tools/input/workspacePath.ts";
import type { ToolInput } from "../../../../tools/serviceTool.ts";
import type { ChatTool } from "../tool.ts";
import { shapedInput } from "./otherShapes.ts";
import { namedCall } from "./toolNames.ts";

/** A call as a model wrote it. */
export interface WrittenCall {
  readonly name: string;
  /** JSON text; any text of a custom call. */
  readonly arguments: string;
  readonly isCustom?: true;
  /** Whether it may use the network, as the user has chosen. */
  readonly network?: boolean;
}

/** The tool of a call, and its input as the tool reads it; or why it can't run, as sentences for the model. */
export type ReadCall =
  | {
      readonly tool: ChatTool;
      readonly input: ToolInput;
      /** What the model is told about how its call was read, as sentences. */
      readonly notes: readonly string[];
      /** What the model says that a command is for. Nothing of it is checked. */
      readonly purpose?: string;
    }
  | { readonly tool: ChatTool; readonly problem: string };

/** The tool that a call means, which is known without its whole input; undefined if there is none. */
export function toolOfCall(tools: readonly ChatTool[], call: WrittenCall): ChatTool | undefined {
  return named(tools, call)?.tool;
}

/** Reads a call; undefined if there is no such tool. */
export function readCall(tools: readonly ChatTool[], call: WrittenCall): ReadCall | undefined {
  const found = named(tools, call);
  if (!found) return undefined;
  const { tool, read, given } = found;
  const free = read.kind === "object" ? undefined : freeText(call, tool);
  if (read.kind === "invalid" && !free)
    return { tool, problem: call.isCustom ? refusedText(tool) : toolArgumentsProblem(read.problem) };
  const input = free ?? found.input;
  const accepted = tool.accept?.(input) ?? asWritten(tool, input);
  if ("faults" in accepted)
    return { tool, problem: refusedInput(tool.name, tool.parameters, accepted.faults) };
  const purpose = tool.kind === "command" && tool.accept ? purposeIn(given) : undefined;
  return { tool, ...asChosen(tool, accepted, call.network), ...optionalMember("purpose", purpose) };
}

interface Taken {
  readonly input: ToolInput;
  readonly notes: readonly string[];
}

/** With the user's choice of whether it may use the network. */
function asChosen({ network }: ChatTool, { input, notes }: Taken, chosen: boolean | undefined): Taken {
  const asked = network?.(input);
  if (asked === undefined || chosen === undefined || asked === chosen) return { input, notes };
  const note = `The user ${chosen ? "has allowed it the network" : "let it run without network only"}.`;
  return { input: { ...input, network: chosen }, notes: [...notes, note] };
}

/** The tool of a call, its arguments, and the input that they are for that tool. */
function named(tools: readonly ChatTool[], call: WrittenCall) {
  const read = readToolArguments(call.arguments);
  const given = read.kind === "object" ? read.value : {};
  // Only built-in tools may be called by another name: a workspace decides about its own.
  const names = tools.filter(({ accept }) => accept !== undefined).map(({ name }) => name);
  const own = tools.find(({ name, accept }) => name === call.name && accept === undefined);
  const meant = own ? { name: own.name, input: given } : namedCall(call.name, given, names);
  const tool = own ?? tools.find(({ name }) => name === meant?.name);
  return tool && meant ? { tool, read, given, input: meant.input } : undefined;
}

function freeText({ arguments: text, isCustom }: WrittenCall, tool: ChatTool): Members | undefined {
  return freeTextInput(text, isCustom === true, tool.parameters);
}

function refusedText({ name }: ChatTool): string {
  return `${name} takes no free text, so the call was not run. Send the call again with a JSON object.`;
}

function purposeIn({ description, explanation, justification }: Members): string | undefined {
  return [description, explanation, justification].find(
    (text): text is string => typeof text === "string" && text.trim() !== "",
  );
}

/** What models send for a built-in tool, as it reads that. */
export function acceptanceOf(tool: ChatTool, roots: () => PathRoots): NonNullable<ChatTool["accept"]> {
  return (given: Members) => {
    const { input, notes } = shapedInput(tool.name, unwrapped(given, tool.parameters), tool.parameters);
    const acts = tool.kind !== "read" && tool.kind !== "plan";
    const accepted = acceptInput(input, { schema: tool.parameters, roots: roots(), acts });
    return "faults" in accepted ? accepted : { ...accepted, notes: [...notes, ...accepted.notes] };
  };
}

/** Small models write the arguments inside a member of that name. */
function unwrapped(given: Members, { properties }: Members): Members {
  const [[name, value] = ["", undefined], ...others] = Object.entries(given);
  const isWrapper =
    /^(arguments|args|parameters|params|input)$/i.test(name) && !(name in membersOf(properties));
  if (!isWrapper || others.length > 0) return given;
  const inside = typeof value === "string" ? parseJson(value) : value;
  return isMembers(inside) ? inside : given;
}

function asWritten({ parameters }: ChatTool, input: ToolInput) {
  const faults = inputFaults(parameters, membersOf(input));
  return faults.length > 0 ? { faults } : { input, notes: [] };
}
