import { isMembers, type Members } from "../../../../shared/members.ts";
import { parseJson } from "../../../../shared/text/json/parseJson.ts";
import { plainName } from "../../../../tools/input/memberNames.ts";

/** What the notebook tools of Claude Code, Copilot and others call the members of an edit, without case and separators. */
const members: Readonly<Record<string, string>> = {
  action: "action editmode edittype mode operation",
  cell: "cell cellid cellnumber cellindex id",
  old_text: "oldtext oldstring oldstr oldsource oldcode",
  new_text: "newtext newstring newstr newsource newcode source code content",
  kind: "kind celltype type",
};
const meanings = new Map<string, string>();
for (const [member, names] of Object.entries(members))
  for (const name of names.split(" ")) meanings.set(name, member);

/** Names of what an edit does. To insert means after the named cell, or at the start without one. */
const actions: Readonly<Record<string, string>> = {
  edit: "replace",
  update: "replace",
  modify: "replace",
  insert: "insert_after",
  add: "insert_after",
  insertafter: "insert_after",
  insertbefore: "insert_before",
  remove: "delete",
};
const kinds: Readonly<Record<string, string>> = { markup: "markdown", md: "markdown", python: "code" };

/** An input of `edit_notebook` in the form of ours: one edit instead of a list, and the words of other notebook tools. */
export function notebookInput(input: Members): Members {
  const rest: Record<string, unknown> = {};
  const single: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input))
    if (meanings.has(plainName(name))) single[name] = value;
    else rest[name] = value;
  const { edits } = rest;
  const list = typeof edits === "string" ? (parseJson(edits) ?? edits) : edits;
  if (Object.keys(single).length > 0)
    return { ...rest, edits: list ?? [editOf(single)], ...(list === undefined ? {} : single) };
  return Array.isArray(list)
    ? { ...rest, edits: list.map((edit) => (isMembers(edit) ? editOf(edit) : edit)) }
    : input;
}

function editOf(given: Members): Members {
  const edit: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === null) continue;
    const member = meanings.get(plainName(name)) ?? name;
    edit[member] = Array.isArray(value) && member.endsWith("_text") ? value.join("\n") : value;
  }
  const action = wordIn(actions, edit.action) ?? "replace";
  const kind = wordIn(kinds, edit.kind);
  const isAtStart = edit.cell === undefined && String(action).startsWith("insert");
  return { ...edit, action, ...(kind === undefined ? {} : { kind }), ...(isAtStart ? { cell: "0" } : {}) };
}

function wordIn(words: Readonly<Record<string, string>>, given: unknown): unknown {
  if (typeof given !== "string") return given;
  const plain = plainName(given);
  return Object.hasOwn(words, plain) ? words[plain] : given;
}
