// A server of language models like Ollama and LM Studio: GET /v1/models, POST /v1/chat/completions with events.
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** An answer: its text, its end, and its form. */
interface Script {
  /** A function gets the text of the last message. */
  readonly words?: readonly string[] | ((question: string) => readonly string[]);
  readonly reasoning?: string;
  /** Deltas as they are sent, before the text. */
  readonly deltas?: readonly object[];
  /** Default `done`. `die`: the socket closes after the text. `hang`: nothing follows. `error`: an error event follows. */
  readonly end?: "done" | "die" | "hang" | "error";
  readonly usage?: boolean;
  /** `type`: the content type, default by the body. */
  readonly refusal?: { readonly status: number; readonly body: unknown; readonly type?: string };
}

type Reply = (body: Readonly<Record<string, unknown>>) => unknown;

/** A reply with a status of its own. */
export class Status {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

export interface ModelServer {
  readonly url: string;
  /** Ids of the models are `<this>/<name>`. */
  readonly slug: string;
  /** The parsed bodies of the received chats. */
  readonly chats: readonly Record<string, unknown>[];
  /** Number of listings. */
  readonly listings: number;
  models: readonly string[] | "html" | "silent";
  script: Script;
  /** Answers to the next chats, before `script`. */
  readonly next: Script[];
  /** Replies to other questions by their path: JSON, or a status with JSON. 404 without one. */
  replies: Readonly<Record<string, Reply>>;
  /** The other questions, with the bodies of those that have one. */
  readonly asked: readonly { readonly path: string; readonly body: unknown }[];
  /** Emits `chat` once the text of an answer is written, `closed` when the socket of a request closes. */
  readonly events: EventEmitter;
  close(): Promise<void>;
}

export async function startModelServer(port = 0): Promise<ModelServer> {
  const chats: Record<string, unknown>[] = [];
  let listings = 0;
  const events = new EventEmitter();
  const list = (res: ServerResponse) => {
    listings += 1;
    events.emit("listing");
    if (served.models === "silent") return;
    if (served.models === "html") {
      res.writeHead(200, { "content-type": "text/html" }).end("<html><body>Sign in</body></html>");
      return;
    }
    const data = served.models.map((id) => ({ id, object: "model", created: 1, owned_by: "library" }));
    res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ object: "list", data }));
  };
  const chat = async (message: IncomingMessage, res: ServerResponse) => {
    const body = JSON.parse(await text(message)) as Record<string, unknown>;
    chats.push(body);
    const { words: said = ["Hello", " there", "."], refusal, ...rest } = served.next.shift() ?? served.script;
    const words = typeof said === "function" ? said(lastText(body)) : said;
    if (refusal) refuse(res, refusal);
    else if (body.stream === true) stream(res, body.model, { ...rest, words }, () => events.emit("chat"));
    else sendWhole(res, { ...rest, words });
  };
  const asked: { readonly path: string; readonly body: unknown }[] = [];
  const answerOther = async (message: IncomingMessage, res: ServerResponse) => {
    const path = message.url ?? "";
    const sent = await text(message);
    const body = sent === "" ? undefined : (JSON.parse(sent) as Record<string, unknown>);
    asked.push({ path, body });
    const reply = served.replies[path]?.(body ?? {});
    if (reply === undefined) return void res.writeHead(404).end();
    const { status, body: value } = reply instanceof Status ? reply : { status: 200, body: reply };
    res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  };
  const server = createServer((message, res) => {
    message.socket.once("close", () => events.emit("closed", message.url));
    if (message.url === "/v1/models") list(res);
    else if (message.url === "/v1/chat/completions") void chat(message, res);
    else void answerOther(message, res);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: actual } = server.address() as AddressInfo;
  const served: ModelServer = {
    url: `http://127.0.0.1:${actual}`,
    slug: `127.0.0.1-${actual}`,
    chats,
    get listings() {
      return listings;
    },
    models: ["llama3.2:latest", "qwen2.5-coder:7b", "nomic-embed-text:latest"],
    script: {},
    next: [],
    replies: {},
    asked,
    events,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return served;
}

function refuse(res: ServerResponse, { status, body, type }: NonNullable<Script["refusal"]>): void {
  const isText = typeof body === "string";
  res
    .writeHead(status, { "content-type": type ?? (isText ? "text/html" : "application/json") })
    .end(isText ? body : JSON.stringify(body));
}

type Answer = Omit<Script, "words" | "refusal"> & { readonly words: readonly string[] };

const reported = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };

function sendWhole(res: ServerResponse, { words, reasoning, usage = true }: Answer): void {
  const message = { role: "assistant", content: words.join(""), ...(reasoning ? { reasoning } : {}) };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  const value = {
    id: "chatcmpl-1",
    object: "chat.completion",
    choices,
    ...(usage ? { usage: reported } : {}),
  };
  res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function stream(
  res: ServerResponse,
  model: unknown,
  { words, reasoning, deltas = [], end = "done", usage = true }: Answer,
  onWritten: () => void,
): void {
  res.writeHead(200, { "content-type": "text/event-stream" });
  const say = (value: unknown) => res.write(`data: ${JSON.stringify(value)}\n\n`);
  const delta = (members: object, finish_reason: string | null = null) =>
    say({ id: "chatcmpl-1", model, choices: [{ index: 0, delta: members, finish_reason }] });
  if (reasoning) delta({ role: "assistant", content: "", reasoning });
  for (const members of deltas) delta(members);
  for (const word of words) delta({ role: "assistant", content: word });
  onWritten();
  const ends: Readonly<Record<typeof end, () => void>> = {
    hang: () => {},
    die: () => void res.socket?.end(),
    error: () => {
      say({ error: { message: "the runner ran out of memory" } });
      res.end();
    },
    done: () => {
      delta({}, "stop");
      if (usage) say({ id: "chatcmpl-1", choices: [], usage: reported });
      res.end("data: [DONE]\n\n");
    },
  };
  ends[end]();
}

function lastText({ messages }: Record<string, unknown>): string {
  const last = (messages as readonly { readonly content: string }[]).at(-1);
  return last?.content ?? "";
}
