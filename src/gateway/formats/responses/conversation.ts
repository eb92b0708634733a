import type { ChatMessage, ContentPart } from "../../../api/endpoints/chat/chatRequest.ts";
import type { ToolName, ToolNames } from "../toolNames.ts";
import { readContent, toContent } from "./contentParts.ts";
import { customArguments, searchArguments } from "./customInput.ts";
import type { MemberReader } from "./memberReader.ts";
import { type CallExtras, type ReasoningToken, readToken, withExtras } from "./reasoningToken.ts";
import { type ReadTool, readMoreTools } from "./toolsReader.ts";

const maxParts = 10_000;

const statuses = ["in_progress", "searching", "completed", "incomplete", "failed"] as const;

/** Why an item of this type can't be held, after its path. */
function whyNoItem(type: unknown): string {
  const named = typeof type === "string" ? JSON.stringify(type.slice(0, 50)) : "of this type";
  if (type === "compaction")
    return `can't be ${named}: only its own service can read what it has shortened. Send the items themselves, or shorten them in the client`;
  return `can't be ${named}, which is no item that this service can hold. It holds message, reasoning, function_call, custom_tool_call, tool_search_call and their outputs, web_search_call, and additional_tools`;
}

type AssistantMessage = Extract<ChatMessage, { role: "assistant" }>;

/** Translates the items of a conversation to the messages of a chat. Items of one answer become one message. */
export class Conversation {
  readonly #names: ToolNames;
  readonly #messages: ChatMessage[] = [];
  #turn: Turn | undefined;
  /** Pictures and files of tools, which a user's message has to bring, after the last output. */
  #shown: ContentPart[] = [];
  readonly #loaded: ReadTool[] = [];

  constructor(names: ToolNames) {
    this.#names = names;
  }

  /** The tools that items have brought. */
  get loaded(): readonly ReadTool[] {
    return this.#loaded;
  }

  /** Reads one item. References must be resolved before. */
  add(item: MemberReader): void {
    const type = item.value("type") ?? "message";
    item.ignore("id");
    item.allow("status", statuses, "must be a known status");
    this.#read(item, type);
    item.end();
  }

  /** The messages of all items. */
  messages(): ChatMessage[] {
    this.#endTurn();
    this.#endOutputs();
    return this.#messages;
  }

  #read(item: MemberReader, type: unknown): void {
    if (type === "message") this.#message(item);
    else if (type === "reasoning") this.#reasoning(item);
    else if (type === "function_call") this.#call(item, "function");
    else if (type === "custom_tool_call") this.#call(item, "custom");
    else if (type === "function_call_output" || type === "custom_tool_call_output") this.#output(item);
    else if (type === "tool_search_call") this.#search(item);
    else if (type === "tool_search_output") this.#found(item);
    else if (type === "additional_tools") this.#more(item);
    // A search was part of its answer, whose text has what it found.
    else if (type === "web_search_call") item.members("action");
    else {
      item.refuse("type", whyNoItem(type));
      // Its members would only repeat that.
      item.skipAll();
    }
  }

  #message(item: MemberReader): void {
    const role = item.oneOf("role", ["user", "assistant", "system", "developer"]);
    if (!role) {
      if (item.value("role") === undefined) item.refuse("role", "is missing");
      item.skipAll();
      return;
    }
    // A label of other services; the order of the items says the same.
    item.ignore("phase");
    if (role === "assistant") {
      this.#said(readContent(item, "content", "assistant"));
      return;
    }
    const content = toContent(readContent(item, "content", role === "user" ? "user" : "instructions"));
    this.#endTurn();
    this.#endOutputs();
    this.#messages.push({ role, content });
  }

  #said(parts: readonly ContentPart[]): void {
    if (this.#turn?.endsBeforeText) this.#endTurn();
    this.#openTurn().addText(parts);
  }

  #reasoning(item: MemberReader): void {
    const readable = [...readTexts(item, "summary"), ...readTexts(item, "content")];
    const text = item.text("encrypted_content");
    const token = text === undefined ? "foreign" : readToken(text);
    if (token === "damaged") {
      item.refuse("encrypted_content", "is not as it was sent. Leave the item out, or send it unchanged");
      return;
    }
    const isMore = token !== "foreign" && token.isMore;
    if (!isMore && this.#turn?.endsBeforeReasoning) this.#endTurn();
    // What only another provider can decrypt is left out. Its summary is kept.
    const echo = { reasoning_content: readable.join("\n\n") || undefined };
    this.#openTurn().addReasoning(token === "foreign" ? { echo, calls: [] } : token);
    if (token !== "foreign" && token.isWhole) this.#endTurn();
  }

  #call(item: MemberReader, kind: ToolName["kind"]): void {
    const id = item.neededText("call_id");
    const name = item.neededText("name");
    const namespace = item.text("namespace");
    readCaller(item);
    const isCustom = kind === "custom";
    const text = item.presentText(isCustom ? "input" : "arguments");
    const toArguments = (written?: string) => (isCustom ? customArguments(text, written) : text);
    const flat = this.#names.flatOf({ kind, name, ...(namespace ? { namespace } : {}) });
    this.#openTurn().addCall({ id, name: flat, toArguments });
  }

  #search(item: MemberReader): void {
    const id = readSearchHead(item);
    const query = item.value("arguments");
    const flat = this.#names.flatOf({ kind: "search", name: "tool_search" });
    this.#openTurn().addCall({ id, name: flat, toArguments: (written) => searchArguments(query, written) });
  }

  #more(item: MemberReader): void {
    item.allow("role", ["developer"], "must be developer");
    this.#load(item);
  }

  /** To the model the result is the names; what they mean is in the tools of the request. */
  #found(item: MemberReader): void {
    const id = readSearchHead(item);
    const names = this.#load(item);
    const content =
      names.length === 0 ? "No tool was found." : `These tools can be called now: ${names.join(", ")}`;
    this.#endTurn();
    this.#messages.push({ role: "tool", tool_call_id: id, content });
  }

  /** The flat names of the tools of an item. Those that the request does not have yet are added. */
  #load(item: MemberReader): string[] {
    return readMoreTools(item).map((tool) => {
      if (!this.#names.has(tool)) this.#loaded.push(tool);
      return this.#names.flatOf(tool);
    });
  }

  /** Only a user's message may have other parts than text, so that those of a tool follow in one. */
  #output(item: MemberReader): void {
    const id = item.neededText("call_id");
    item.ignore("name");
    readCaller(item);
    const parts = readContent(item, "output", "tool");
    const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
    const others = parts.filter(({ type }) => type !== "text");
    const content =
      texts.length === 0 && others.length > 0 ? "The result is in the next message." : texts.join("\n");
    this.#endTurn();
    this.#messages.push({ role: "tool", tool_call_id: id, content });
    this.#shown.push(...others);
  }

  #openTurn(): Turn {
    this.#endOutputs();
    this.#turn ??= new Turn();
    return this.#turn;
  }

  #endTurn(): void {
    if (this.#turn) this.#messages.push(this.#turn.message());
    this.#turn = undefined;
  }

  #endOutputs(): void {
    if (this.#shown.length > 0) this.#messages.push({ role: "user", content: this.#shown });
    this.#shown = [];
  }
}

interface ReadCall {
  readonly id: string;
  readonly name: string;
  /** Its arguments in the chat route. `written`: what came back of them as the model wrote them. */
  toArguments(written: string | undefined): string;
}

/** One message of the assistant, from the items of its answer. */
class Turn {
  #parts: ContentPart[] | undefined;
  readonly #calls: ReadCall[] = [];
  readonly #extras = new Map<string, CallExtras>();
  #thought = "";
  readonly #details: unknown[] = [];
  #echo: ReasoningToken["echo"] = {};
  #hasReasoning = false;

  /** Answers without a call between are told apart by their second text. */
  get endsBeforeText(): boolean {
    return this.#parts !== undefined && this.#calls.length === 0;
  }

  /** Outputs follow the calls of one message, so that reasoning between the calls joins it. */
  get endsBeforeReasoning(): boolean {
    return this.#calls.length === 0 && (this.#parts !== undefined || this.#hasReasoning);
  }

  addText(parts: readonly ContentPart[]): void {
    this.#parts ??= [];
    for (const part of parts) this.#parts.push(part);
  }

  addCall(call: ReadCall): void {
    this.#calls.push(call);
  }

  addReasoning({ echo, calls, isMore }: ReasoningToken): void {
    const { reasoning_content: thought, reasoning_details: details, ...others } = echo;
    if (thought) this.#thought += this.#thought === "" || isMore ? thought : `\n\n${thought}`;
    for (const detail of details ?? []) this.#details.push(detail);
    for (const extras of calls) this.#extras.set(extras.id, extras);
    this.#echo = { ...this.#echo, ...others };
    this.#hasReasoning = true;
  }

  message(): AssistantMessage {
    const calls = this.#calls.map((call) => this.#toCall(call));
    const content = this.#parts ? toContent(this.#parts) : undefined;
    return {
      role: "assistant",
      // Some servers refuse a message that has neither content nor calls.
      ...(content !== undefined || calls.length === 0 ? { content: content ?? "" } : {}),
      ...(this.#thought === "" ? {} : { reasoning_content: this.#thought }),
      ...(this.#details.length > 0 ? { reasoning_details: this.#details } : {}),
      ...this.#echo,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
  }

  #toCall({ id, name, toArguments }: ReadCall) {
    const extras = this.#extras.get(id);
    return withExtras({ id, function: { name, arguments: toArguments(extras?.arguments) } }, extras);
  }
}

function readTexts(item: MemberReader, name: string): string[] {
  return item.objects(name, maxParts).flatMap((part) => {
    part.allow("type", ["summary_text", "reasoning_text", "text"], "must be summary_text or reasoning_text");
    const text = part.text("text");
    part.end();
    return text ? [text] : [];
  });
}

/** The id of a search and of its result. */
function readSearchHead(item: MemberReader): string {
  item.allow("execution", ["client"], "must be client: this service does not search for tools");
  return item.neededText("call_id");
}

function readCaller(item: MemberReader): void {
  const caller = item.object("caller");
  caller?.allow("type", ["direct"], "must be direct: this service has no programs that call tools");
  caller?.end();
}
