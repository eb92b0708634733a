import type { ChatRequest, Tool } from "../../../api/endpoints/chat/chatRequest.ts";
import { isMembers } from "../../../shared/members.ts";
import type { ToolName, ToolNames } from "../toolNames.ts";
import { customParameters } from "./customInput.ts";
import type { MemberReader } from "./memberReader.ts";

const maxTools = 1000;

type WebSearch = "auto" | "on" | undefined;

/** The members of a chat request that say which tools a model may call. */
export type ToolMembers = Pick<ChatRequest, "tools" | "tool_choice" | "parallel_tool_calls"> & {
  readonly webSearch: WebSearch;
};

/** A tool of a request, or one that a client has loaded since. */
export interface ReadTool extends ToolName {
  readonly path: string;
  readonly description: string | undefined;
  readonly parameters: Readonly<Record<string, unknown>> | undefined;
  readonly strict: boolean | undefined;
}

interface ReadTools {
  readonly tools: readonly ReadTool[];
  readonly webSearch: WebSearch;
}

/** Reads `tools`, `tool_choice` and `parallel_tool_calls`. Each tool gets its flat name. */
export function readTools(body: MemberReader, names: ToolNames): ToolMembers {
  const read = readEach(body);
  nameEach(read.tools, names, body);
  const chosen = readChoice(body, read, names);
  const parallel = body.flag("parallel_tool_calls");
  const tools = chosen.tools.map((tool) => toChatTool(tool, names));
  return {
    webSearch: chosen.webSearch,
    ...(tools.length > 0 ? { tools } : {}),
    // Servers refuse these without tools.
    ...(tools.length > 0 && chosen.choice ? { tool_choice: chosen.choice } : {}),
    ...(tools.length > 0 && parallel !== undefined ? { parallel_tool_calls: parallel } : {}),
  };
}

function readEach(body: MemberReader): ReadTools {
  const readers = body.objects("tools", maxTools);
  let webSearch: WebSearch;
  const tools = readers.flatMap((tool) => {
    const type = tool.value("type");
    const read = isSearch(type) ? [] : readTool(tool, type);
    if (isSearch(type)) webSearch = readSearch(tool) ?? webSearch;
    tool.end();
    return read;
  });
  return { tools, webSearch };
}

/** Reads the tools of an item that brings more of them. */
export function readMoreTools(item: MemberReader): readonly ReadTool[] {
  return item.objects("tools", maxTools).flatMap((tool) => {
    const read = readTool(tool, tool.value("type"));
    tool.end();
    return read;
  });
}

function readTool(tool: MemberReader, type: unknown, namespace?: string): ReadTool[] {
  switch (type) {
    case "function":
      return [readFunction(tool, namespace)];
    case "custom":
      return [readCustom(tool, namespace)];
    case "tool_search":
      return [readToolSearch(tool)];
    case "namespace":
      if (namespace === undefined) return readNamespace(tool);
  }
  tool.refuse(
    "type",
    "is no tool of this service. It has function, custom, namespace, tool_search and web_search",
  );
  tool.skipAll();
  return [];
}

function readHead(tool: MemberReader, namespace: string | undefined) {
  const callers = tool.list("allowed_callers", 10);
  if (callers && callers.length > 0 && !callers.includes("direct"))
    tool.refuse("allowed_callers", "must have direct: this service has no programs that call tools");
  // A tool that is sent can be called at once.
  tool.flag("defer_loading");
  return {
    path: tool.path,
    name: tool.neededText("name"),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

function readFunction(tool: MemberReader, namespace: string | undefined): ReadTool {
  const head = readHead(tool, namespace);
  const output = tool.members("output_schema");
  const description = joined(
    tool.text("description"),
    output && `The output has this JSON Schema: ${JSON.stringify(output)}`,
  );
  const strict = tool.flag("strict");
  return { ...head, kind: "function", description, strict, parameters: tool.members("parameters") };
}

function readCustom(tool: MemberReader, namespace: string | undefined): ReadTool {
  const head = readHead(tool, namespace);
  const description = joined(tool.text("description"), readGrammar(tool));
  return { ...head, kind: "custom", description, strict: undefined, parameters: customParameters };
}

/** The client itself searches, so that to the model it is a function. */
function readToolSearch(tool: MemberReader): ReadTool {
  tool.allow("execution", ["client"], "must be client: this service does not search for tools");
  if (tool.value("execution") === undefined)
    tool.refuse("execution", "is missing. It must be client: this service does not search for tools");
  const [description, parameters] = [tool.text("description"), tool.members("parameters")];
  return { kind: "search", name: "tool_search", path: tool.path, description, parameters, strict: undefined };
}

/** The rule for the input in words, because a function has no grammar. */
function readGrammar(tool: MemberReader): string | undefined {
  const format = tool.object("format");
  const type = format?.oneOf("type", ["text", "grammar"]);
  const rule = type === "grammar" ? grammarOf(format) : undefined;
  format?.end();
  return rule;
}

function grammarOf(format: MemberReader | undefined): string | undefined {
  const syntax = format?.oneOf("syntax", ["lark", "regex"]);
  const definition = format?.neededText("definition");
  if (syntax === undefined) format?.refuse("syntax", "must be lark or regex");
  const rule = syntax === "regex" ? "regular expression" : "Lark grammar";
  return `The input must match this ${rule}:\n${definition}`;
}

/** The description of the namespace goes to its first tool. */
function readNamespace(tool: MemberReader): ReadTool[] {
  const namespace = tool.neededText("name");
  const description = tool.text("description");
  const tools = tool.objects("tools", maxTools).flatMap((inner) => {
    const read = readTool(inner, inner.value("type"), namespace);
    inner.end();
    return read;
  });
  const [first, ...others] = tools;
  if (!first || !description) return tools;
  return [{ ...first, description: joined(`${namespace}: ${description}`, first.description) }, ...others];
}

function joined(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.filter((text) => text).join("\n\n") || undefined;
}

const searches: ReadonlySet<unknown> = new Set([
  "web_search",
  "web_search_2025_08_26",
  "web_search_preview",
  "web_search_preview_2025_03_11",
]);

function isSearch(type: unknown): boolean {
  return searches.has(type);
}

/** The service searches the live web. A client that permits a cache alone gets no search. */
function readSearch(tool: MemberReader): WebSearch {
  const noPlaces = "can't be set on this service. Leave it out";
  tool.allow("filters", [], noPlaces);
  tool.allow("user_location", [], noPlaces);
  tool.allow("search_context_size", ["medium"], "must be medium: the service has one size");
  const types = tool.list("search_content_types", 10);
  if (types && types.length > 0 && !types.includes("text"))
    tool.refuse("search_content_types", "must have text: the service finds no pictures");
  return tool.flag("external_web_access") === false ? undefined : "auto";
}

/** Names of plain tools first, because they stay as they are. */
function nameEach(tools: readonly ReadTool[], names: ToolNames, body: MemberReader): void {
  for (const isPlain of [true, false])
    for (const tool of tools) {
      if ((tool.namespace === undefined) !== isPlain) continue;
      if (names.has(tool)) body.issues.add(`${tool.path}.name`, "is the name of two tools");
      names.flatOf(tool);
    }
}

/** The tool as the chat route has it, with its flat name. */
export function toChatTool(tool: ReadTool, names: ToolNames): Tool {
  const { description, parameters, strict } = tool;
  return {
    type: "function",
    function: {
      name: names.flatOf(tool),
      ...(description === undefined ? {} : { description }),
      ...(parameters === undefined ? {} : { parameters }),
      ...(strict === undefined ? {} : { strict }),
    },
  };
}

interface Chosen extends ReadTools {
  readonly choice: ChatRequest["tool_choice"];
}

function readChoice(body: MemberReader, read: ReadTools, names: ToolNames): Chosen {
  const value = body.value("tool_choice");
  if (!isMembers(value)) {
    const choice = body.oneOf("tool_choice", ["auto", "none", "required"]);
    if (choice === "required" && read.tools.length === 0 && !read.webSearch)
      body.refuse("tool_choice", "can't be required without tools");
    // A model that must not call a tool must not search.
    return { ...read, choice, webSearch: choice === "none" ? undefined : read.webSearch };
  }
  const chosen = body.object("tool_choice");
  const result = chosen && chosenBy(chosen, read, names);
  chosen?.end();
  return result ?? { ...read, choice: undefined };
}

function chosenBy(choice: MemberReader, read: ReadTools, names: ToolNames): Chosen | undefined {
  const type = choice.value("type");
  if (type === "allowed_tools") return allowed(choice, read, names);
  if (isSearch(type)) {
    if (read.webSearch === undefined) choice.refuse("type", "is not in tools");
    return { ...read, choice: "none", webSearch: "on" };
  }
  const tool = namedTool(choice, read, names);
  return tool && { ...read, choice: { type: "function", function: { name: names.flatOf(tool) } } };
}

function allowed(choice: MemberReader, read: ReadTools, names: ToolNames): Chosen {
  const mode = choice.oneOf("mode", ["auto", "required"]) ?? "auto";
  const kept = new Set<ReadTool>();
  let webSearch: WebSearch;
  for (const item of choice.objects("tools", maxTools)) {
    if (isSearch(item.value("type"))) webSearch = read.webSearch;
    else {
      const tool = namedTool(item, read, names);
      if (tool) kept.add(tool);
    }
    item.end();
  }
  return { tools: read.tools.filter((tool) => kept.has(tool)), webSearch, choice: mode };
}

/** The tool of a choice such as `{type: "function", name}`. */
function namedTool(choice: MemberReader, { tools }: ReadTools, names: ToolNames): ReadTool | undefined {
  const kind = choice.value("type");
  if (kind !== "function" && kind !== "custom") {
    choice.skipAll();
    return choice.refuse("type", "can't be chosen on this service. It has function, custom and web_search");
  }
  const namespace = choice.text("namespace");
  const name = choice.neededText("name");
  const asked: ToolName = { kind, name, ...(namespace === undefined ? {} : { namespace }) };
  const flat = names.has(asked) ? names.flatOf(asked) : undefined;
  const tool = flat === undefined ? undefined : tools.find((one) => names.flatOf(one) === flat);
  return tool ?? choice.refuse("name", "is not in tools");
}
