/** Where a consent is stored: for all windows, with the workspace, or in the memory of this window. */
export type ConsentStore = "everywhere" | "workspace" | "window";

/** Everything that a user can allow for more than one time. A consent of another kind can't be stored. */
export const consentStores = {
  /** A price of one of the extension's own commands. Subject: the `PriceAction`. */
  price: "everywhere",
  /** A price of a tool that agents of the editor call. Subject: the tool. */
  tool: "everywhere",
  /** A price of a tool that an MCP client calls. Subject: the name that the client gave itself, the tool. */
  mcp: "everywhere",
  /** Code is sent while the user types. Subject: `free` or `paid`. */
  completions: "everywhere",
  /** Another extension uses the models. Subject: its id in lower case. */
  extension: "everywhere",
  /** A wallet pays in place of a key. Subject: its address, who signs. */
  wallet: "everywhere",
  /** Calls go on beyond a budget. Subject: the period, the day when it began. It ends with the period. */
  overdraft: "everywhere",
  /** A service is asked about contracts. Subject: its host. The receiver is that host, too. */
  contracts: "everywhere",
  /** A collector receives a span for each call. Subject: `facts` or `content`. The receiver is its origin. */
  traces: "everywhere",
  /** A program or an address is told about budgets and balances. Subject: which of both, the hash of it as a whole. */
  alerts: "everywhere",
  /** A command of a file with hooks. Subject: the hash of all that it runs. The receiver is the file. */
  hook: "everywhere",
  /** Another agent is started as a program. Subject: its name, the folder. The receiver is the path of the program. */
  agent: "workspace",
  /** Calls like one. Subject: the tool, its fingerprint, its price, and the scope if there is one. */
  workspaceTool: "workspace",
  /** The same in one chat. Subject: the chat's id, then as above. */
  chatTool: "window",
  /** The same in one task. Subject: the task's id, then as above. */
  taskTool: "window",
  /** All calls of a kind in one task. Subject: the task's id, the kind, `asked` for those with a question of their own. */
  taskKind: "window",
} as const satisfies Readonly<Record<string, ConsentStore>>;

/** The key of the consents in a state of the extension. */
export const consentsKey = "consents";

export type ConsentKind = keyof typeof consentStores;

/** Identifies what was allowed to whom. */
export interface ConsentKey {
  readonly kind: ConsentKind;
  /** The connection with its origin (`receiverOf`); else the host that is asked. */
  readonly receiver: string;
  /** See `consentStores`. */
  readonly subject: readonly string[];
}

/** Something that the user allowed for more than one time. */
export interface Consent extends ConsentKey {
  /** What was allowed, in words. It can contain foreign names. */
  readonly says: string;
  /** Undefined if an earlier version stored it. */
  readonly agreedAtMs?: number;
  /** When it last let something happen, to the hour. */
  readonly usedAtMs?: number;
  /** Its end. Undefined: until it is revoked. */
  readonly untilMs?: number;
  /** The highest price of a call that was allowed. */
  readonly usd?: number;
}

export function isSameConsent(a: ConsentKey, b: ConsentKey): boolean {
  const isOfReceiver = a.kind === b.kind && a.receiver === b.receiver;
  return isOfReceiver && JSON.stringify(a.subject) === JSON.stringify(b.subject);
}

export function isConsentKind(value: unknown): value is ConsentKind {
  return typeof value === "string" && Object.hasOwn(consentStores, value);
}

/** The extension's own commands whose price is confirmed, in the words of the list of permissions. */
export const priceActions = {
  search: "Search the web",
  ask: "Ask the web",
  scrape: "Read web pages",
  parse: "Read documents",
  speech: "Read text aloud",
  "image.generate": "Make pictures",
  "image.edit": "Edit pictures",
  "image.combine": "Combine or inpaint pictures",
  "image.describe": "Describe pictures",
} as const;

export type PriceAction = keyof typeof priceActions;
