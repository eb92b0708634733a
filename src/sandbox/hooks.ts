import type { IncomingMessage } from "node:http";
import type { PastRows } from "./billing/ledger.ts";
import type { TextModel } from "./catalog/modelRecord.ts";
import type { Author } from "./chat/draft.ts";
import type { ArrivedRequest } from "./http/answer.ts";
import type { Reply } from "./http/reply.ts";

/** Additions of tests and benchmarks to a sandbox (`test/serviceKit`). The extension passes none of them. */
export interface SandboxHooks {
  /** Chat models besides the sandbox's own. */
  readonly models?: readonly TextModel[];
  /** Writers of answers, by model id. They take precedence over the sandbox's own. */
  readonly authors?: Readonly<Record<string, Author>>;
  /** Entries that the billing ledger starts with. */
  readonly past?: PastRows;
  /** Called for each request as soon as its headers are here. */
  readonly onRequest?: (message: IncomingMessage) => ExchangeHook;
}

/** Follows one request to the end of its reply. */
export interface ExchangeHook {
  /** Returns the reply to send. `serve` makes the sandbox's own. A rejection cuts the connection. */
  answer(request: ArrivedRequest, serve: (request: ArrivedRequest) => Promise<Reply>): Promise<Reply>;
  /** The exchange is over; only the first call counts. `aborted`: the client closed the connection first. */
  ended(aborted: boolean): void;
}
