// Calls of the agent's tools in the random cases.
import assert from "node:assert/strict";
import type { AgentWriter, FileChange } from "../../../src/changes/engine/pendingChanges.ts";
import type { Step } from "./changesSteps.ts";
import { type All, contentOf, seenIn } from "./seenFiles.ts";

export type Call = Extract<Step, { do: "edit" | "write" | "cells" | "move" | "remove" }>;

/** Those of a model that has read all. */
export const allTexts = { has: () => true, add() {} };

const never = new AbortController().signal;

/** Calls the tools at the same time. Returns what they changed, and the sentences of those that were refused. */
export async function callTools(
  writer: AgentWriter,
  calls: readonly Call[],
  before: All,
): Promise<{ readonly made: readonly FileChange[]; readonly refusals: string }> {
  const made: FileChange[] = [];
  let refusals = "";
  for (const result of await Promise.allSettled(calls.map((call) => callTool(writer, call, before)))) {
    if (result.status === "fulfilled") {
      made.push(...result.value);
      continue;
    }
    const error = result.reason as Error;
    assert.equal(error.constructor.name, "Refusal", error.stack);
    refusals += error.message;
  }
  return { made, refusals };
}

async function callTool(writer: AgentWriter, call: Call, before: All): Promise<readonly FileChange[]> {
  if (call.do === "write") return [await writer.write(call.file, call.text, never, { known: allTexts })];
  if (call.do === "cells") {
    const edits = call.edits.map(({ action, pick, text, kind }) => ({
      action,
      cell: String(pick + (action.startsWith("insert") ? 0 : 1)),
      newText: text,
      kind,
    }));
    return [(await writer.editCells(call.file, edits, never, { known: allTexts })).change];
  }
  if (call.do === "remove") return [await writer.remove(call.file, never)];
  if (call.do === "move") return writer.move(call.file, call.to, never);
  const content = contentOf(seenIn(before, call.file))?.replace(/^(\ufeff|ï»¿)/, "") ?? "";
  const oldText = content.split(/\r\n|\r|\n/).filter((line) => line !== "")[call.pick % 5] ?? "none";
  return [await writer.edit(call.file, [{ oldText, newText: call.text, all: true }], never)];
}
