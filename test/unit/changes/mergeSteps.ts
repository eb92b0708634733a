// What an acting subagent brings back in the random cases. Its tree is given as data: a worktree of Git for each case would take
// most of the time, and has tests of its own.
import assert from "node:assert/strict";
import { isUtf8 } from "node:buffer";
import type { FileChange, FileWriter } from "../../../src/changes/engine/pendingChanges.ts";
import type * as merging from "../../../src/chat/host/subagents/acting/mergeTree.ts";
import type { TreeChange } from "../../../src/chat/host/subagents/acting/subagentTree.ts";
import type { Step } from "./changesSteps.ts";
import { loadWithEditor } from "./editorModel.ts";
import { contentOf, isLinkSeen, type Seen, see, seeAll } from "./seenFiles.ts";

type MergeStep = Extract<Step, { do: "merge" }>;
/** The texts of the files, when a subagent begins. */
export type Texts = ReadonlyMap<string, string>;

const { mergeTree } = await loadWithEditor<typeof merging>("src/chat/host/subagents/acting/mergeTree.ts");
const never = new AbortController().signal;

/** Undefined for what is no text, as an editor shows it. */
function textOf(seen: Seen): string | undefined {
  const content = isLinkSeen(seen) ? null : contentOf(seen);
  if (content === null || seen.unsaved !== undefined) return seen.unsaved;
  const bytes = Buffer.from(content, "latin1");
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString().replace(/^\ufeff/, "") : undefined;
}

export function textsNow(): Texts {
  const texts = new Map<string, string>();
  for (const [name, seen] of Object.entries(seeAll())) {
    const text = textOf(seen);
    if (text !== undefined) texts.set(name, text);
  }
  return texts;
}

/** The changes of a subagent that has begun with these texts. */
function treeOf({ tree }: MergeStep, texts: Texts): readonly TreeChange[] {
  return tree.flatMap(({ kind, file, to, text }): readonly TreeChange[] => {
    const base = texts.get(file);
    if (kind === "create") return base === undefined ? [{ from: undefined, to: file, base, text }] : [];
    if (base === undefined) return [];
    if (kind === "delete") return [{ from: file, to: undefined, base, text: undefined }];
    const edited = kind === "move" ? base : base.replace(/^.*/, text.trim());
    return [{ from: file, to: kind === "edit" ? file : to, base, text: edited }];
  });
}

/** Merges them. Returns why some were not taken over. `onChanged` is told each change once it is made. */
export async function mergeStep(
  step: MergeStep,
  texts: Texts,
  writer: FileWriter,
  onChanged: (changes: readonly FileChange[]) => void,
): Promise<string> {
  const readText = async (path: string) => textOf(see(path)) ?? assert.fail("It is no text.");
  const readBytes = async () => assert.fail("All are texts.");
  const merged = await mergeTree(
    treeOf(step, texts),
    { writer, readText, readBytes },
    { onWritten() {}, onChanged },
    never,
  );
  return merged.flatMap(({ refusal }) => refusal ?? []).join("\n");
}
