import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { marked } from "marked";
import type { DocsLibrary } from "../docs/library.ts";
import { slugOf } from "../docs/sections.ts";
import type { ExchangeHook, SandboxHooks } from "../hooks.ts";
import { Refusal } from "../refusal.ts";
import { type ArrivedRequest, answer } from "./answer.ts";
import { html, type Reply } from "./reply.ts";
import { type Admission, admit, type RequestHead, type ServerContext } from "./request/admit.ts";
import { discardBody, linger, type RequestBody, readBody } from "./request/readBody.ts";
import { writeReply } from "./writeReply.ts";

const root = "/api/v1";

export interface SandboxServer {
  readonly port: number;
  /** Closes all connections. Resolves when the port is free. */
  close(): Promise<void>;
}

/** Serves the routes on the loopback address. */
export async function startServer(
  context: ServerContext,
  port: number,
  { onRequest = () => noHook }: Pick<SandboxHooks, "onRequest"> = {},
): Promise<SandboxServer> {
  // Longer than clients reuse an idle connection, so that it is not closed while one sends.
  const server = createServer({ keepAliveTimeout: 60_000 });
  // With a listener for `checkContinue`, a client that waits for 100 Continue is checked before it sends its body.
  for (const event of ["request", "checkContinue"])
    server.on(event, (message: IncomingMessage, res: ServerResponse) => {
      void exchange(context, onRequest(message), message, res);
    });
  await listening(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    close: () => closed(server),
  };
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

const noHook: ExchangeHook = { answer: (request, serve) => serve(request), ended: () => {} };

/** One request and its reply. It always ends with a reply or a closed connection. */
async function exchange(
  context: ServerContext,
  hook: ExchangeHook,
  message: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const controller = new AbortController();
  let cut = false;
  res.once("close", () => {
    const aborted = !res.writableFinished && !cut;
    controller.abort();
    hook.ended(aborted);
  });
  try {
    await respond(context, hook, message, res, controller.signal);
  } catch {
    // The client is gone, the hook rejected, or the reply failed after its headers: no error can be sent.
    cut = !controller.signal.aborted;
    res.destroy();
  }
}

async function respond(
  context: ServerContext,
  hook: ExchangeHook,
  message: IncomingMessage,
  res: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const { state } = context;
  const { pathname, searchParams: query } = new URL(message.url ?? "/", "http://127.0.0.1");
  const head = headOf(message, pathname);
  const admission = await admissionOf(context, head, message.socket.localPort ?? 0);
  const body = await arrive(message, res, admission);
  const request = { ...head, admission, query, body, requestId: state.ids.hex(32), signal };
  const page = head.method === "GET" ? docsPage(state.library, pathname) : undefined;
  const serve = async (arrived: ArrivedRequest) => page ?? answer(context, arrived);
  const reply = await hook.answer(request, serve);
  const isRead = message.readableEnded;
  // Of the clock that its resets are of: clients compare both.
  res.setHeader("date", new Date(state.now()).toUTCString());
  await writeReply(res, isRead ? reply : closing(reply), {
    acceptEncoding: String(message.headers["accept-encoding"] ?? ""),
    signal,
    beforeEnd: async () => {
      if (isRead) return;
      hook.ended(false);
      await linger(message);
    },
  });
}

function headOf({ method = "GET", headers }: IncomingMessage, pathname: string): RequestHead {
  return {
    method,
    path: pathname.startsWith(`${root}/`) ? pathname.slice(root.length) : undefined,
    headers,
  };
}

async function admissionOf(
  context: ServerContext,
  head: RequestHead,
  port: number,
): Promise<Admission | Refusal> {
  try {
    return await admit(context, head, port);
  } catch (error) {
    return error instanceof Refusal ? error : new Refusal(500, `The sandbox failed: ${error}`);
  }
}

function arrive(
  message: IncomingMessage,
  res: ServerResponse,
  admission: Admission | Refusal,
): Promise<RequestBody> {
  if (admission instanceof Refusal) return discardBody(message, admission);
  if (message.headers.expect !== undefined) res.writeContinue();
  return readBody(message);
}

function closing(reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, connection: "close" } };
}

/** `/docs/<page>`: a page of the documentation. Citations link to it. */
function docsPage(library: DocsLibrary, path: string): Reply | undefined {
  const slug = /^\/docs\/([^/]+)$/.exec(path)?.[1];
  const page = library.pages.find(({ title }) => slugOf(title) === slug);
  if (!page) return undefined;
  const body = marked.parse(page.text.replace(/!\[[^\]]*\]\([^)]*\)/g, ""), { async: false });
  const anchored = body.replace(/<h([123])>(.*?)<\/h\1>/g, withAnchor);
  return html(
    200,
    `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">${head(page.title)}</head><body>${anchored}</body></html>`,
  );
}

function withAnchor(_whole: string, level: string, heading: string): string {
  return `<h${level} id="${slugOf(heading.replace(/<[^>]*>/g, ""))}">${heading}</h${level}>`;
}

function head(title: string): string {
  const style =
    "body{font:16px/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}";
  return `<title>${title.replace(/[<&]/g, "")}</title><style>${style}table{border-collapse:collapse}td,th{border:1px solid;padding:.2rem .6rem}</style>`;
}
