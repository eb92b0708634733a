import type { Called } from "../../api/call/record/callRecorder.ts";
import type { FromRequestsView, RequestQuery, ToRequestsView } from "../protocol/requestsProtocol.ts";
import type { RequestHead } from "./log/requestHead.ts";
import type { RequestLog } from "./log/requestLog.ts";
import { toDetail } from "./requestDetail.ts";
import { choicesOf, searchRequests, toRequestRow } from "./requestSearch.ts";

export interface RequestsControllerDeps {
  readonly log: Pick<RequestLog, "read" | "content">;
  readonly keepDays: () => number;
  readonly post: (message: ToRequestsView) => void;
  readonly report: (error: unknown) => void;
}

/** Requests of the page that the controller answers. The panel does what the others ask for. */
type ListRequest = Extract<
  FromRequestsView,
  { readonly type: "ready" | "refresh" | "query" | "rows" | "open" }
>;

/** A recorded call with all that is known of it. */
export interface FoundCall {
  readonly head: RequestHead;
  readonly called: Called;
}

/** The list of requests without VS Code: answers its page from the log. */
export class RequestsController {
  readonly #deps: RequestsControllerDeps;
  #heads: readonly RequestHead[] = [];
  #query: RequestQuery = { query: 0, text: "" };
  #found: readonly RequestHead[] = [];
  /** What the page shows as soon as it is ready: the call with this id or request id. */
  #wanted: string | undefined;
  #isReady = false;
  #reading: Promise<void> | undefined;

  constructor(deps: RequestsControllerDeps) {
    this.#deps = deps;
  }

  async handle(message: ListRequest): Promise<void> {
    switch (message.type) {
      case "ready":
        this.#isReady = true;
        await this.#load();
        return this.#showWanted();
      case "refresh":
        return this.#load();
      case "query":
        this.#query = message.body;
        return this.#search();
      case "rows": {
        const { query, from, count } = message.body;
        if (query !== this.#query.query) return;
        const rows = this.#found.slice(from, from + count).map(toRequestRow);
        return this.#deps.post({ v: 1, type: "rows", query, from, rows });
      }
      case "open":
        return this.#open(message.body.id);
    }
  }

  /** Shows a call by its id, or the newest one with a request id of the service. */
  async show(id: string): Promise<void> {
    this.#wanted = id;
    if (!this.#isReady) return;
    await this.#load();
    await this.#showWanted();
  }

  /** Reads the log again: a call was recorded, or all were deleted. Calls that end meanwhile need one more read. */
  changed(): Promise<void> {
    return this.#isReady ? this.#load() : Promise.resolve();
  }

  /** The page is closed. */
  close(): void {
    this.#isReady = false;
    this.#heads = [];
    this.#found = [];
    this.#query = { query: 0, text: "" };
  }

  async find(id: string): Promise<FoundCall | undefined> {
    const head = this.#heads.find((one) => one.id === id);
    const called = head && (await this.#deps.log.content(head.id).catch(this.#deps.report));
    return called ? { head, called } : undefined;
  }

  /** A load that is asked for while another runs begins after it: what was asked for is in it. */
  #load(): Promise<void> {
    const before = this.#reading ?? Promise.resolve();
    const mine = before.then(() => this.#readAll());
    this.#reading = mine;
    return mine;
  }

  async #readAll(): Promise<void> {
    const { log, keepDays, post, report } = this.#deps;
    let isUnreadable = false;
    try {
      this.#heads = await log.read();
    } catch (error) {
      report(error);
      isUnreadable = true;
    }
    const state = {
      ...choicesOf(this.#heads),
      total: this.#heads.length,
      keepDays: keepDays(),
      isUnreadable,
    };
    post({ v: 1, type: "state", state });
    this.#search();
  }

  #search(): void {
    this.#found = searchRequests(this.#heads, this.#query);
    this.#deps.post({ v: 1, type: "found", query: this.#query.query, size: this.#found.length });
  }

  async #showWanted(): Promise<void> {
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (wanted === undefined) return;
    const head = this.#heads.find(({ id, requestIds }) => id === wanted || requestIds.includes(wanted));
    if (head) return this.#open(head.id);
    this.#deps.post({ v: 1, type: "missing", text: missingText(this.#deps.keepDays()) });
  }

  async #open(id: string): Promise<void> {
    const found = await this.find(id);
    if (found) this.#deps.post({ v: 1, type: "detail", detail: toDetail(found.head, found.called) });
    else this.#deps.post({ v: 1, type: "missing", text: missingText(this.#deps.keepDays()) });
  }
}

function missingText(keepDays: number): string {
  if (keepDays === 0) return "The request is not recorded: the setting keeps none.";
  return "The request is not recorded. It may be older than the days that are kept, of another computer, or deleted.";
}
