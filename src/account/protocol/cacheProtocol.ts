/** Prompts of some calls, and what of them the service read from its cache. Texts are as the view shows them. */
export interface CacheRow {
  readonly name: string;
  /** The model, or the number of models; empty for a sum. */
  readonly models: string;
  readonly calls: number;
  /** Calls whose service does not state how much it read from its cache. They are in no other figure. */
  readonly unknownCalls: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  /** `84 %`; empty if it is unknown. */
  readonly hitRate: string;
  /** Tokens that had been sent before and were not read from the cache, at least. */
  readonly missedTokens: number;
  /** What these cost more than from the cache. */
  readonly lost: string;
}

/** A conversation, or what belongs to none, with its tasks. */
export interface CacheGroup extends CacheRow {
  readonly tasks: readonly CacheRow[];
  /** Id of a conversation of the chat, which can be opened. */
  readonly chat?: string;
}

/** This month's calls of this extension on this computer that have a prompt. */
export interface CacheState {
  readonly total: CacheRow;
  /** What lost the most money first. */
  readonly groups: readonly CacheGroup[];
}

/** Host → view. */
export interface ToCacheView {
  readonly v: 1;
  readonly type: "cache";
  /** Undefined if no call had a prompt that was counted. */
  readonly state: CacheState | undefined;
}
