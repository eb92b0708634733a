import type { Disposable, Memento } from "vscode";
import { definedMembers, isMembers } from "../../shared/members.ts";
import { shortened } from "../../shared/text/shortened.ts";
import {
  type Consent,
  type ConsentKey,
  type ConsentKind,
  type ConsentStore,
  consentStores,
  consentsKey,
  isConsentKind,
  isSameConsent,
} from "./consent.ts";

export interface ConsentsDeps {
  readonly globalState: Pick<Memento, "get" | "update">;
  readonly workspaceState: Pick<Memento, "get" | "update">;
  readonly now: () => number;
}

const stores = ["everywhere", "workspace", "window"] as const satisfies readonly ConsentStore[];
/** The oldest of a kind are dropped, and asked about again. */
const mostOfKind = 500;
const longestWords = 200;
/** A use is noted this often at most, because each note is written to the disk. */
const useStepMs = 3_600_000;

/**
 * All that the user has allowed for more than one time. The states of the extension are no settings, so that no
 * workspace can grant a consent. VS Code shares the global one with all windows; each question reads it anew.
 */
export class Consents {
  readonly #deps: ConsentsDeps;
  #inWindow: readonly Consent[] = [];
  readonly #read = new WeakMap<object, readonly Consent[]>();
  readonly #listeners = new Set<() => void>();

  constructor(deps: ConsentsDeps) {
    this.#deps = deps;
  }

  /** The consent, unless it has ended. */
  find(key: ConsentKey): Consent | undefined {
    return this.#valid(consentStores[key.kind]).find((consent) => isSameConsent(consent, key));
  }

  /** The same, for what it lets happen now: notes its use. */
  use(key: ConsentKey): Consent | undefined {
    const found = this.find(key);
    const now = this.#deps.now();
    if (found && now - (found.usedAtMs ?? Number.NEGATIVE_INFINITY) >= useStepMs) {
      const store = consentStores[key.kind];
      const noted = this.#valid(store).map((consent) =>
        consent === found ? { ...found, usedAtMs: now } : consent,
      );
      void this.#write(store, noted);
    }
    return found;
  }

  /** All of a kind that were given to a receiver. */
  of(kind: ConsentKind, receiver: string): readonly Consent[] {
    const store = consentStores[kind];
    return this.#valid(store).filter((consent) => consent.kind === kind && consent.receiver === receiver);
  }

  /** Those that have not ended: of all windows, of this workspace, of this window. */
  all(): readonly Consent[] {
    return stores.flatMap((store) => this.#valid(store));
  }

  /** Stores it as given now. A higher price replaces a lower one. */
  async give({ says, ...consent }: Omit<Consent, "agreedAtMs" | "usedAtMs">): Promise<void> {
    const known = this.find(consent);
    const usd = consent.usd === undefined ? undefined : Math.max(known?.usd ?? 0, consent.usd);
    const agreedAtMs = this.#deps.now();
    await this.restore([
      definedMembers<Consent>({ ...consent, usd, agreedAtMs, says: shortened(says, longestWords) }),
    ]);
  }

  /** They ask again, in all windows. */
  async revoke(keys: readonly ConsentKey[]): Promise<void> {
    await this.#change(keys, (others) => others);
  }

  /** Takes back that they were revoked. */
  async restore(consents: readonly Consent[]): Promise<void> {
    await this.#change(consents, (others, mine) => [...others, ...mine]);
  }

  /** Nothing is allowed to a connection that was removed. */
  async forget(connectionId: string): Promise<void> {
    const isOf = ({ receiver }: Consent) => receiver.split(" ", 1)[0] === connectionId;
    await this.revoke(this.all().filter(isOf));
  }

  /** Fires after a change in this window. */
  onDidChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** Writes each store that one of the consents is in. */
  async #change<Key extends ConsentKey>(
    changed: readonly Key[],
    next: (others: readonly Consent[], mine: readonly Key[]) => readonly (Consent | Key)[],
  ): Promise<void> {
    for (const store of stores) {
      const mine = changed.filter(({ kind }) => consentStores[kind] === store);
      if (mine.length === 0) continue;
      const others = this.#valid(store).filter((consent) => !mine.some((key) => isSameConsent(consent, key)));
      await this.#write(store, next(others, mine) as readonly Consent[]);
    }
    for (const listener of this.#listeners) listener();
  }

  #valid(store: ConsentStore): readonly Consent[] {
    const now = this.#deps.now();
    return this.#stored(store).filter(({ untilMs }) => untilMs === undefined || untilMs > now);
  }

  #stored(store: ConsentStore): readonly Consent[] {
    if (store === "window") return this.#inWindow;
    const state = this.#stateOf(store);
    const stored = state.get<unknown>(consentsKey);
    if (!Array.isArray(stored)) return [];
    const known = this.#read.get(stored);
    if (known) return known;
    const read = stored.flatMap(readConsent).filter(({ kind }) => consentStores[kind] === store);
    this.#read.set(stored, read);
    return read;
  }

  async #write(store: ConsentStore, consents: readonly Consent[]): Promise<void> {
    const kept = bounded(consents);
    if (store === "window") {
      this.#inWindow = kept;
      return;
    }
    const state = this.#stateOf(store);
    await state.update(consentsKey, kept);
  }

  #stateOf(store: Exclude<ConsentStore, "window">): ConsentsDeps["globalState"] {
    return store === "workspace" ? this.#deps.workspaceState : this.#deps.globalState;
  }
}

/** The newest are at the end. */
function bounded(consents: readonly Consent[]): readonly Consent[] {
  const counts = new Map<ConsentKind, number>();
  return consents
    .toReversed()
    .filter(({ kind }) => {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return count <= mostOfKind;
    })
    .toReversed();
}

/** An entry that can't be read allows nothing. */
function readConsent(value: unknown): Consent[] {
  if (!isMembers(value)) return [];
  const { kind, receiver, subject, says, agreedAtMs, usedAtMs, untilMs, usd } = value;
  if (!isConsentKind(kind) || typeof receiver !== "string" || !isTexts(subject)) return [];
  const numbers = [agreedAtMs, usedAtMs, untilMs, usd];
  if (!numbers.every((number) => number === undefined || Number.isFinite(number))) return [];
  const words = typeof says === "string" ? says : subject.join(" ");
  return [
    definedMembers<Consent>({
      kind,
      receiver,
      subject,
      says: words,
      agreedAtMs,
      usedAtMs,
      untilMs,
      usd,
    } as Consent),
  ];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === "string");
}
