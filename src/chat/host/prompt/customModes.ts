import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import { readResultName, type ToolKind } from "../../protocol/agentModes.ts";
import type { CustomMode } from "../../protocol/chatGuidance.ts";
import type { ChatSettings } from "../../protocol/chatSettings.ts";
import type { ChatTool } from "../tools/tool.ts";
import { headerList, headerText, type MarkdownFile } from "./frontMatter.ts";

/** Names that agents use for a kind of tools, in lower case. `read/problems` is in the group of `read`. */
const groups: Readonly<Record<ToolKind, readonly string[]>> = {
  read: [
    ...["read", "search", "codebase", "usages", "problems", "changes", "grep", "glob", "ls", "readfile"],
    ...["listdirectory", "filesearch", "textsearch", "findtestfiles", "searchresults", "vscode"],
  ],
  plan: ["todo", "todos", "todowrite", "agent", "runsubagent"],
  edit: ["edit", "editfiles", "new", "write", "multiedit", "createfile", "createdirectory", "replacestring"],
  command: [
    ...["execute", "shell", "bash", "powershell", "terminal", "runinterminal", "runcommands", "runtasks"],
    ...["runtests", "terminallastcommand", "terminalselection"],
  ],
  network: ["web", "fetch", "websearch", "webfetch"],
};
const kindOfName = new Map(
  (Object.entries(groups) as [ToolKind, readonly string[]][]).flatMap(([kind, names]) =>
    names.map((name): [string, ToolKind] => [name, kind]),
  ),
);

const maxTools = 100;

/** The mode that a file defines; undefined if its header hides it from the user or is for a service elsewhere. */
export function toCustomMode(
  path: string,
  name: string,
  header: MarkdownFile["header"],
): CustomMode | undefined {
  const isHidden = ["user-invocable", "user-invokable"].some((key) => headerText(header, key) === "false");
  if (isHidden || headerText(header, "target") === "github-copilot") return undefined;
  const [model] = headerList(header, "model") ?? [];
  const tools = headerList(header, "tools");
  return {
    id: path,
    name,
    description: visibleLine(headerText(header, "description").replace(/\s+/g, " ")).slice(0, 250),
    ...(model === undefined ? {} : { model: visibleLine(model).slice(0, 100) }),
    tools: tools?.slice(0, maxTools).map((tool) => tool.slice(0, 80)) ?? null,
  };
}

/** The id of the chosen mode of the workspace. It counts in the mode Agent, of which it is a narrower form. */
export function chosenModeId({ mode, customMode }: ChatSettings): string | undefined {
  return mode === "agent" ? customMode : undefined;
}

/**
 * The tools that the chosen mode leaves of those that there are. A file can take tools away, never add or allow any. None
 * if the file of the mode is not there: what the user took away must not come back with it.
 */
export function narrowedTools(
  tools: readonly ChatTool[],
  settings: ChatSettings,
  modes: readonly CustomMode[],
): readonly ChatTool[] {
  const id = chosenModeId(settings);
  if (id === undefined) return tools;
  const mode = modes.find((one) => one.id === id);
  if (!mode) return [];
  if (mode.tools === null || mode.tools.includes("*")) return tools;
  const names = new Set(mode.tools.map((name) => name.toLowerCase()));
  const kinds = new Set(
    [...names].flatMap((name) => kindOfName.get(name) ?? kindOfName.get(name.split("/")[0] ?? "") ?? []),
  );
  return tools.filter(({ name, kind, origin }) => {
    if (names.has(name.toLowerCase())) return true;
    // Results of the other tools name that which reads on in them.
    return origin === "built-in" && (kinds.has(kind) || name === readResultName);
  });
}
