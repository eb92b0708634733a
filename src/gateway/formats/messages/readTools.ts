import type { ServiceParameters, Tool } from "../../../api/endpoints/chat/chatRequest.ts";
import type { BodyValue } from "../bodyValue.ts";
import { type ClientTool, clientTool, whyNoTool } from "./clientTools.ts";
import { blockType, readCachePoint } from "./readParts.ts";

type ToolChoice = "auto" | "none" | "required" | { type: "function"; function: { name: string } };

/** What a request offers to the model. */
export interface Offered {
  readonly tools: readonly Tool[];
  readonly tool_choice?: ToolChoice;
  readonly parallel_tool_calls?: false;
  readonly webSearch?: Exclude<ServiceParameters["enable_web_search"], "off">;
}

const sharedMembers = [
  "type",
  "name",
  "strict",
  "cache_control",
  "defer_loading",
  "allowed_callers",
] as const;
const toolMembers = [
  ...sharedMembers,
  "description",
  "input_schema",
  "eager_input_streaming",
  "input_examples",
] as const;

/** The tools and the choice between them. The service has its own web search, which is no tool of the chat route. */
export function readTools(list: BodyValue, choice: BodyValue): Offered {
  const tools: Tool[] = [];
  let search: string | undefined;
  for (const item of list.list()) {
    const type = item.at("type").isAbsent ? "custom" : blockType(item);
    const ofClient = clientTool(type ?? "");
    if (type === "custom") tools.push(...readTool(item));
    else if (ofClient) tools.push(...readClientTool(item, ofClient));
    else if (type?.startsWith("web_search_2")) search = readSearch(item) ?? search;
    else if (type !== undefined) item.at("type").refuse(whyNoTool(type));
  }
  return { tools, ...readChoice(choice, tools, search) };
}

/**
 * Cache points are not passed on, as a tool of the chat route has none; the service caches the beginning of each prompt.
 * All tools are loaded at once, and all arguments are streamed.
 */
function readTool(item: BodyValue): Tool[] {
  const members = item.members(toolMembers);
  if (!members) return [];
  members.eager_input_streaming.flag();
  const description = members.description.text();
  if (members.input_schema.isAbsent) members.input_schema.refuse("is missing");
  const parameters = members.input_schema.json();
  const strict = members.strict.flag();
  const tool = readNamed(members, [description]);
  if (!tool || !parameters) return [];
  const made = { ...tool, parameters, ...(strict === undefined ? {} : { strict }) };
  return [{ type: "function", function: made }];
}

const clientToolMembers = [...sharedMembers, "input_examples", "max_characters"] as const;

/** `strict` is not passed on: the schema of such a tool has members that not all commands need. */
function readClientTool(item: BodyValue, { description, parameters }: ClientTool): Tool[] {
  const members = item.members(clientToolMembers);
  if (!members) return [];
  members.strict.flag();
  const characters = members.max_characters.number("n");
  const limit =
    characters === undefined ? undefined : `A view shows at most ${characters} characters of a file.`;
  const tool = readNamed(members, [description, limit]);
  return tool ? [{ type: "function", function: { ...tool, parameters } }] : [];
}

type Named = Readonly<
  Record<"name" | "cache_control" | "defer_loading" | "allowed_callers" | "input_examples", BodyValue>
>;

/** The name of a tool, and what is said of it; undefined without a name. */
function readNamed(members: Named, description: readonly (string | undefined)[]) {
  readCachePoint(members.cache_control);
  members.defer_loading.flag();
  readCallers(members.allowed_callers);
  const all = [...description, examplesIn(members.input_examples)];
  const name = members.name.neededText();
  if (name === "") members.name.refuse("must not be empty");
  if (!name) return undefined;
  const said = all.filter((text) => text !== undefined && text !== "").join("\n\n");
  return { name, ...(said === "" ? {} : { description: said }) };
}

function readCallers(callers: BodyValue): void {
  const names = callers.list().map((caller) => caller.neededText());
  if (!callers.isAbsent && !names.includes("direct")) callers.refuse("must contain direct");
}

function examplesIn(examples: BodyValue): string | undefined {
  const lines = examples.list().flatMap((example) => {
    const json = example.json();
    return json ? [JSON.stringify(json)] : [];
  });
  return lines.length > 0 ? ["Examples of the input:", ...lines].join("\n") : undefined;
}

const searchMembers = [
  ...sharedMembers,
  "max_uses",
  "response_inclusion",
  "allowed_domains",
  "blocked_domains",
  "user_location",
] as const;

/** The name of the search tool. The service searches once at most, so each limit on the number of searches is kept. */
function readSearch(item: BodyValue): string | undefined {
  const members = item.members(searchMembers);
  if (!members) return undefined;
  const { allowed_domains, blocked_domains, user_location } = members;
  for (const limit of [allowed_domains, blocked_domains])
    if (limit.list().length > 0) limit.refuse("can't limit the search of this service; leave it out");
  user_location.refuseAny("can't direct the search of this service; leave it out");
  members.max_uses.number("n");
  readCachePoint(members.cache_control);
  readCallers(members.allowed_callers);
  for (const flag of [members.defer_loading, members.strict]) flag.flag();
  members.response_inclusion.oneOf(["full", "excluded"]);
  return members.name.neededText();
}

function readChoice(
  choice: BodyValue,
  tools: readonly Tool[],
  search: string | undefined,
): Omit<Offered, "tools"> {
  const members = choice.members(["type", "name", "disable_parallel_tool_use"]);
  const type = members?.type.isAbsent
    ? members.type.refuse("is missing")
    : members?.type.oneOf(["auto", "any", "tool", "none"]);
  const name = type === "tool" ? members?.name.neededText() : undefined;
  const isSearch = name !== undefined && name === search;
  const isOnlySearch = type === "any" && tools.length === 0 && search !== undefined;
  const isOneByOne = members?.disable_parallel_tool_use.flag() === true && tools.length > 0;
  const chosen = isSearch || isOnlySearch ? undefined : toolChoice(choice, tools, type, name);
  return {
    ...(chosen ? { tool_choice: chosen } : {}),
    ...(isOneByOne ? { parallel_tool_calls: false } : {}),
    ...(search === undefined || type === "none"
      ? {}
      : { webSearch: isSearch || isOnlySearch ? "on" : "auto" }),
  };
}

/** The chat route refuses a choice without tools. */
function toolChoice(
  choice: BodyValue,
  tools: readonly Tool[],
  type: "auto" | "any" | "tool" | "none" | undefined,
  name: string | undefined,
): ToolChoice | undefined {
  if (type === "any" && tools.length === 0) return choice.at("type").refuse("can't be any without tools");
  if (type === "tool" && name !== undefined) {
    const isKnown = tools.some((tool) => tool.function.name === name);
    if (!isKnown) return choice.at("name").refuse("is none of the tools");
    return { type: "function", function: { name } };
  }
  if (tools.length === 0) return undefined;
  return type === "any" ? "required" : type === "tool" ? undefined : type;
}
