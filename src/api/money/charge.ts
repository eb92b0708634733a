import type { Members } from "../../shared/members.ts";
import { believedAmount, believedCredits, isAccountAmount, saidText } from "../../shared/money/believable.ts";
import type { ScopedBudget } from "../../shared/money/scopedBudget.ts";
import { textIn } from "../../shared/stringIn.ts";
import type { Dialect } from "../dialect/dialect.ts";
import { dialectSeen } from "../dialect/dialectSigns.ts";
import type { Cost, Usage } from "../endpoints/chat/chatReply.ts";
import type { CallPrice } from "./price.ts";
import type { SentPrompt } from "./sentPrompts.ts";

/** Cost headers of a reply (spec E3; wire.md section 2). */
export interface ChargeHeaders {
  readonly credits?: number;
  readonly usd?: number;
  /** Served from the idempotency cache: these credits were charged by the original request. */
  readonly replayed: boolean;
  /** What a cost header said that can't be right. */
  readonly doubted?: string;
  /** The key's balance before this request. */
  readonly balanceUsd?: number;
  readonly balanceDiem?: number;
}

/** The header names identify the dialect before the client knows it. `dialect` is used if they do not. */
export function readCharge(headers: Headers, dialect: Dialect): ChargeHeaders {
  const number = (name: string) => {
    const text = headers.get(name);
    const value = text === null || text.trim() === "" ? Number.NaN : Number(text);
    return Number.isFinite(value) ? value : undefined;
  };
  const { rpcHeaderPrefix: rpc, balanceHeaderPrefix: balance } = dialectSeen(headers) ?? dialect;
  const balanceOf = (name: string) => {
    const value = balance ? number(`${balance}${name}`) : undefined;
    return isAccountAmount(value) ? value : undefined;
  };
  const read = {
    credits: believedCredits(number(`${rpc}RPC-Credits`)),
    usd: believedAmount(number(`${rpc}RPC-Cost-USD`)),
    balanceUsd: balanceOf("usd"),
    balanceDiem: balanceOf("diem"),
  };
  const texts = [headers.get(`${rpc}RPC-Credits`), headers.get(`${rpc}RPC-Cost-USD`)];
  const stated = texts.filter((text) => text?.trim());
  const isDoubted = stated.length > 0 && read.credits === undefined && read.usd === undefined;
  const known = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
  return {
    ...known,
    ...(isDoubted ? { doubted: saidText(stated.join(", ")) } : {}),
    replayed: headers.get("idempotent-replayed") === "true",
  };
}

/** The price as the reply states it. `money/ledger.ts` converts it to an amount. */
export type ChargeFact =
  | { readonly by: "request"; readonly usd: number }
  | {
      readonly by: "credits";
      readonly credits?: number;
      readonly usd?: number;
      readonly replayed: boolean;
      /** What the service said instead of an amount that can be right. */
      readonly doubted?: string;
    }
  | {
      readonly by: "tokens";
      readonly usage?: Usage;
      readonly cost?: Cost;
      readonly prompt?: Pick<SentPrompt, "cacheKey" | "sentBefore">;
    }
  | { readonly by: "characters"; readonly characters: number }
  | {
      readonly by: "image";
      readonly resolution?: string;
      readonly quality?: string;
      readonly inputs: number;
    };

/**
 * The part of the extension that makes a call. `editor`: edits, code actions and commit messages. `web`: web searches,
 * pages and documents. `nativeChat`: VS Code's own chat, or an extension that uses the editor's language models. `tool`:
 * a tool that an agent of the editor called. `mcp`: an MCP client. `completion`: inline completions.
 * `replay`: a recorded request that the user sends again. `gateway`: another agent on this machine.
 */
export type SpendKind =
  | "chat"
  | "notebook"
  | "studio"
  | "editor"
  | "web"
  | "speech"
  | "account"
  | "connection"
  | "nativeChat"
  | "tool"
  | "mcp"
  | "completion"
  | "replay"
  | "gateway";

/** A task of an agent: everything that it spends counts against its cap. */
export interface SpendTask {
  /** Unique among all tasks. */
  readonly id: string;
  /** The round of the task, counted from 1. */
  readonly round: number;
  /** USD that the task may cost. Read when a call is admitted: the user may have changed it since. */
  readonly capUsd: number;
  /** The reason that no call may be admitted any more, if a limit was reached since the call began to wait. */
  readonly refusal?: () => string | undefined;
  /** The subagent of the task that makes the call. What it spends counts against its share and against the cap. */
  readonly subagent?: SubagentShare;
}

/** The part of a task's cap that one of its subagents may use up. */
interface SubagentShare {
  /** Unique among all subagents and tasks. */
  readonly id: string;
  /** USD. Read when a call is admitted. */
  readonly capUsd: number;
}

/** Who makes a call. The ledger records it. */
export interface SpendSource {
  readonly kind: SpendKind;
  /** Id of the extension that asked, or name of the MCP client, if it is known. */
  readonly client?: string;
  /** URI of the document, notebook or folder that the call is for. The ledger records only its workspace folder. */
  readonly resource?: string;
  /** Name of the workspace folder that `resource` is, for one that the window which pays may not have open. */
  readonly folder?: string;
  /** The call is refused if it could exceed the cap of its task. */
  readonly task?: SpendTask;
  /** Id of a session without a cap. The ledger records it as a task. */
  readonly session?: string;
  /** Budgets of the caller alone, which count beside those of the setting. */
  readonly caps?: readonly ScopedBudget[];
  /** Id of the question in a chat that the call helps to answer. Traces join such calls; the ledger has none of it. */
  readonly turn?: string;
}

/** A call that costs money was answered. For a stream, this is sent at its end with the last known facts. */
export interface Charged {
  readonly type: "charged";
  readonly endpoint: string;
  readonly model?: string;
  readonly requestId?: string;
  readonly fact: ChargeFact;
  /** The reservation of `admit`. */
  readonly hold?: string;
  /** The caller, from the call's options. */
  readonly caller?: string;
  readonly source?: SpendSource;
  /** The end of the key that pays, as the service shows it. Absent if a wallet pays, and for a short key. */
  readonly keyEnding?: string;
}

/** A call with a reservation ended without a price. */
export interface Uncharged {
  readonly type: "uncharged";
  readonly endpoint: string;
  readonly model?: string;
  readonly requestId?: string;
  readonly hold: string;
  readonly caller?: string;
  readonly source?: SpendSource;
  /** As of a charged call. */
  readonly keyEnding?: string;
  /** True if the service may have processed the request, so that it may appear on the bill. */
  readonly mayBeBilled: boolean;
}

/** The members that have a value. */
export function knownMembers<Name extends string>(
  members: Readonly<Record<Name, string | undefined>>,
): { readonly [Known in Name]?: string } {
  return Object.fromEntries(Object.entries(members).filter(([, text]) => text)) as {
    readonly [Known in Name]?: string;
  };
}

/** The charge of an answered call; undefined if the row is free. `reply` is the parsed reply, if it was parsed. */
export function chargeFact(
  price: CallPrice,
  input: Members,
  charge: ChargeHeaders | undefined,
  reply: unknown,
): ChargeFact | undefined {
  switch (price.by) {
    case "nothing":
      return undefined;
    case "request":
      return { by: "request", usd: price.usd };
    case "credits":
      return creditsFact(charge ?? {});
    case "inputTokens":
    case "tokens": {
      const { usage, cost } = tokensIn(reply);
      return { by: "tokens", ...(usage ? { usage } : {}), ...(cost ? { cost } : {}) };
    }
    case "characters":
      return { by: "characters", characters: [...textIn(input.input)].length };
    case "image":
      return imageFact(input);
  }
}

function creditsFact({ credits, usd, doubted, replayed = false }: Partial<ChargeHeaders>): ChargeFact {
  return {
    by: "credits",
    replayed,
    ...(credits === undefined ? {} : { credits }),
    ...(usd === undefined ? {} : { usd }),
    ...(doubted === undefined ? {} : { doubted }),
  };
}

function imageFact({ images, resolution, quality }: Members): ChargeFact {
  return {
    by: "image",
    inputs: Array.isArray(images) ? images.length : 1,
    ...(resolution === undefined ? {} : { resolution: textIn(resolution) }),
    ...(quality === undefined ? {} : { quality: textIn(quality) }),
  };
}

/** The members of a reply or chunk that determine its price. */
function tokensIn(reply: unknown): {
  readonly usage?: Usage | undefined;
  readonly cost?: Cost | undefined;
} {
  if (typeof reply !== "object" || reply === null) return {};
  const { usage, cost } = reply as { usage?: Usage | null; cost?: Cost | null };
  return { usage: usage ?? undefined, cost: cost ?? undefined };
}
