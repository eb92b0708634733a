import { sha256 } from "../../../platform/sha256.ts";
import { upperTokens } from "../../../shared/chat/tokenEstimate.ts";
import { isMembers, type Members, membersOf } from "../../../shared/members.ts";
import { hidesSomething, visibleLine, visibleText } from "../../../shared/text/html/visibleText.ts";
import { shortened } from "../../../shared/text/shortened.ts";

/** A tool of a server, as a model is told of it: all of it is what the server says. */
export interface ServerTool {
  /** The server's own name for it. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON schema of its arguments. */
  readonly parameters: Members;
  /** Changes with everything that the server says about the tool, also with what is cut here. */
  readonly hash: string;
}

export interface ListedTools {
  readonly tools: readonly ServerTool[];
  /** Why some are not offered, as sentences. */
  readonly problems: readonly string[];
}

const maxTools = 128;
const maxNameLength = 128;
const maxDescriptionLength = 2_000;
const maxSchemaLength = 20_000;
/** Of all tools of a server. */
const maxTokens = 40_000;

/** The tools of a list that can be offered: bounded, and without characters that a person can't see. */
export function readTools(listed: readonly unknown[]): ListedTools {
  const tools: ServerTool[] = [];
  const problems: string[] = [];
  let tokens = 0;
  for (const one of listed) {
    const read = readTool(one);
    if (typeof read === "string") {
      if (problems.length < 5) problems.push(read);
      continue;
    }
    tokens += upperTokens(`${read.name} ${read.description} ${JSON.stringify(read.parameters)}`);
    if (tools.length === maxTools || tokens > maxTokens) {
      problems.push(`Only its first ${tools.length} tools are offered.`);
      break;
    }
    if (!tools.some(({ name }) => name === read.name)) tools.push(read);
  }
  return { tools, problems };
}

/** The tool, or why it is not offered. */
function readTool(one: unknown): ServerTool | string {
  const { name, title, description, inputSchema, annotations, execution } = membersOf(one);
  if (typeof name !== "string" || name === "") return "A tool without a name is not offered.";
  const shown = visibleLine(shortened(name, 60));
  if (hidesSomething(name) || name.length > maxNameLength)
    return `The tool ${shown} is not offered: its name is too long or contains hidden characters.`;
  if (membersOf(execution).taskSupport === "required")
    return `The tool ${shown} is not offered: it runs only as a task of the protocol, which this client has none of.`;
  const schema = isMembers(inputSchema) ? JSON.stringify(inputSchema) : undefined;
  if (schema === undefined || schema.length > maxSchemaLength)
    return `The tool ${shown} is not offered: the schema of its arguments is missing or too long.`;
  const titles = [title, membersOf(annotations).title, name];
  const shownTitle = titles.find((text): text is string => typeof text === "string" && text.trim() !== "");
  return {
    name,
    title: shortened(visibleLine(shownTitle ?? name), 80),
    description: shortened(
      visibleText(typeof description === "string" ? description : ""),
      maxDescriptionLength,
    ),
    parameters: { ...membersOf(JSON.parse(visibleText(schema))), type: "object" },
    hash: sha256(JSON.stringify([name, title, description, inputSchema, annotations])),
  };
}

const maxModelName = 64;

/** Names for models, which take letters, digits, `_` and `-`: that of the server before that of the tool. None occurs twice. */
export function modelNames(
  tools: readonly { readonly server: string; readonly tool: string }[],
  taken: readonly string[],
): readonly string[] {
  const used = new Set(taken);
  return tools.map(({ server, tool }) => {
    const plain = `${plainName(server).slice(0, 24)}__${plainName(tool)}`.slice(0, maxModelName);
    let name = plain;
    for (let count = 2; used.has(name); count++) {
      const end = `_${count}`;
      name = `${plain.slice(0, maxModelName - end.length)}${end}`;
    }
    used.add(name);
    return name;
  });
}

function plainName(name: string): string {
  return name.replace(/[^\w-]+/g, "_") || "_";
}
