import type { Members } from "../../../../shared/members.ts";
import { similar } from "../../../../shared/text/similar.ts";
import { meaningsOf, plainName } from "../../../../tools/input/memberNames.ts";

/** A call by the name of one of our tools. Its arguments may still have the names of another one. */
export interface NamedCall {
  readonly name: string;
  readonly input: Members;
}

/**
 * What the tools that models were trained on (those of Claude Code, Codex, Cline, Copilot, Cursor, Gemini CLI, Qwen Code) are
 * called, without case and separators. Only tools that do the same are here: a name is a spelling and never more than that,
 * so approvals are for the tool that runs.
 */
const otherNames: Readonly<Record<string, string>> = {
  read_file: "read view viewfile cat openfile readtextfile viewfilecontents",
  write_file: "write writetofile createfile createnewfile savefile writetextfile",
  edit_file:
    "edit multiedit replace replaceinfile replacestringinfile searchreplace strreplace editfiles searchandreplace",
  edit_notebook: "notebookedit editnotebookfile editnotebookcell notebookeditcell",
  delete_file: "delete deletefiles removefile",
  move_file: "rename renamefile move movefiles",
  list_files: "ls listdir listdirectory list listfolder glob filesearch globfilesearch findfiles",
  search_workspace:
    "grep grepsearch searchfiles searchfilecontent ripgrep rg searchcode grepcode searchintext textsearch",
  run_command:
    "bash shell execcommand executecommand shellcommand localshell runshellcommand runinterminal runterminalcmd runterminalcommand terminal execute exec containerexec",
  read_command_output: "bashoutput getterminaloutput readoutput taskoutput commandstatus",
  stop_command: "killshell killbash taskstop stopterminal",
  run_task: "runvscodetask executetask",
  read_problems: "geterrors getdiagnostics diagnostics readlints problems idediagnostics getproblems",
  find_references: "listcodeusages usages findusages references",
  find_symbols: "listcodedefinitionnames symbols workspacesymbols searchsymbols documentsymbols",
  update_plan: "todowrite writetodos managetodolist updatetodolist todo updatetodos",
  ask_user: "askuserquestion askfollowupquestion askquestion askquestions askquestiontouser requestuserinput",
  delegate: "agent task subagent runsubagent spawnagent delegatetask newtask",
  apply_patch: "applydiff patch applypatches",
  search_web: "websearch googlewebsearch googlesearch",
  read_page: "webfetch fetchwebpage fetch fetchurl readurl",
};

const meanings = new Map<string, string>();
for (const [name, others] of Object.entries(otherNames))
  for (const other of others.split(" ")) meanings.set(other, name);

/** Tools of other products that do what several of ours do, by the member `command`. */
const textEditors: ReadonlySet<string> = new Set([
  "strreplaceeditor",
  "strreplacebasededittool",
  "texteditor",
]);
const editorCommands = new Map([
  ["view", "read_file"],
  ["create", "write_file"],
  ["str_replace", "edit_file"],
]);

/** The call by the name of one of these tools; undefined if its name is not known. Exact names take precedence. */
export function namedCall(name: string, input: Members, tools: readonly string[]): NamedCall | undefined {
  if (tools.includes(name)) return asPatch({ name, input }, tools);
  // Models repeat the name space in which their provider listed the tools.
  const plain = plainName(bareName(name));
  const same = tools.find((one) => plainName(one) === plain);
  if (same !== undefined) return asPatch({ name: same, input }, tools);
  if (!textEditors.has(plain)) {
    const meant = isSearchReplace(plain, input) ? "edit_file" : meanings.get(plain);
    return meant === undefined || !tools.includes(meant) ? undefined : asPatch({ name: meant, input }, tools);
  }
  const { command, ...rest } = input;
  const meant = editorCommands.get(String(command));
  return meant === undefined || !tools.includes(meant) ? undefined : { name: meant, input: rest };
}

/** Roo Code has blocks to search and replace in the tool whose name others give to a patch. */
function isSearchReplace(plain: string, { diff, path }: Members): boolean {
  const isBlocks = typeof diff === "string" && /^\s*<{5,} ?SEARCH/m.test(diff);
  return plain === "applydiff" && isBlocks && typeof path === "string";
}

/** Without a name space, the number that some models count their calls by, and the marks of a template that got into a name. */
function bareName(name: string): string {
  return name
    .replace(/<\|.*$/s, "")
    .replace(/:\d+$/, "")
    .replace(/^(?:functions?|default_api|tools?)[.:/]/i, "");
}

/** Codex also writes a patch as the command `apply_patch` of its shell. There is no such program. */
function asPatch(call: NamedCall, tools: readonly string[]): NamedCall {
  if (call.name !== "run_command" || !tools.includes("apply_patch")) return call;
  const command = call.input.command ?? call.input.cmd;
  const words = Array.isArray(command) ? command : [];
  const line = typeof command === "string" ? command : words.length === 3 ? words[2] : undefined;
  const isWord = words.length === 2 && /^apply_?patch$/.test(String(words[0]));
  const asCall = (patch: string) => ({
    name: "apply_patch",
    input: { patch: patchInFolder(patch, folderIn(call.input)) },
  });
  if (isWord && typeof words[1] === "string") return asCall(words[1]);
  if (typeof line !== "string") return call;
  const quoted = /^\s*apply_?patch\s*<<\s*(['"]?)(\w+)\1\r?\n([\s\S]*?)\r?\n\2\s*$/.exec(line)?.[3];
  const isPatch = quoted?.trimStart().startsWith("*** Begin Patch") === true;
  return isPatch ? asCall(quoted) : call;
}

/** The folder in which the command would run; empty without one. */
function folderIn(input: Members): string {
  const found = Object.entries(input).find(
    ([name]) => plainName(name) === "cwd" || meaningsOf(name).includes("cwd"),
  );
  return typeof found?.[1] === "string" ? found[1] : "";
}

/** A patch whose paths are relative to a folder, with paths of the workspace. */
function patchInFolder(patch: string, folder: string): string {
  if (folder === "") return patch;
  return patch.replace(
    /^(\*\*\* (?:(?:Add|Update|Delete) File|Move to): )(?!\/|[a-z]:[\\/]|file:)/gim,
    (head) => `${head}${folder.replace(/[\\/]$/, "")}/`,
  );
}

/** A sentence for a name that no tool has: the likeliest one, and all that are offered. */
export function unknownTool(name: string, offered: readonly string[]): string {
  const plain = plainName(name);
  const [typed] = similar(name.toLowerCase(), offered);
  const inside = offered.find((one) => plain.length > 3 && plainName(one).includes(plain));
  const likely = [meanings.get(plain), typed, inside].find(
    (one) => one !== undefined && offered.includes(one),
  );
  const hint = likely === undefined ? "" : ` Do you mean ${likely}?`;
  const list = offered.length > 0 ? `The tools are: ${offered.join(", ")}.` : "No tool is offered here.";
  return `There is no tool ${name}.${hint} ${list}`;
}
