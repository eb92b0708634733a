import { createHash, timingSafeEqual } from "node:crypto";
import { dayOf } from "../../shared/time/days.ts";
import { addNano, type Nano, nanoText } from "../billing/ledger/decimal.ts";
import type { KeyTotals } from "../billing/ledger/keySpend.ts";
import type { ModelRecord } from "../catalog/modelRecord.ts";
import { createRates } from "../limits/rates.ts";
import { Refusal } from "../refusal.ts";
import { type Ids, uuidOf } from "../state/ids.ts";
import {
  changedCaps,
  createdForm,
  expiryOfDate,
  type KeyLimit,
  type KeyPrivacy,
  type KeyRecord,
  type KeyRecordType,
  noCaps,
  readForm,
} from "./keyRecord.ts";
import { type Key, type Keyring, randomSecret } from "./keyring.ts";
import { type KeyLimitPeriod, legacyPeriod, windowEndMs, windowStart } from "./limitPeriod.ts";

/** POST /api_keys (spec E6). */
export interface KeyRequest {
  readonly apiKeyType: KeyRecordType;
  readonly description: string;
  readonly consumptionLimit?: KeyLimit | undefined;
  readonly limitPeriod?: KeyLimitPeriod | undefined;
  readonly expiresAt?: string | undefined;
  readonly modelPrivacy?: KeyPrivacy | undefined;
}

/** PATCH /api_keys (wire.md section 6). Members that are left out keep their values. */
export type KeyChange = Partial<Omit<KeyRequest, "apiKeyType">> & { readonly id: string };

export interface ApiKeyStoreOptions {
  /** Unix time in milliseconds. */
  readonly now: () => number;
  readonly ids: Ids;
  /** The charges of a key since the start of a UTC day. */
  readonly spentSince: (keyId: string, day: number) => KeyTotals;
  /** Unix time of a key's last charge. Its last use is stored only while the sandbox runs, its bill beyond that. */
  readonly lastChargeMs: (keyId: string) => number | undefined;
  /** Refuses more than 20 creations per minute; default true. */
  readonly enforced?: boolean;
  /** The beginning of the keys that are created; default that of a sandbox. */
  readonly keyPrefix?: string | undefined;
  /** Keys that get a new secret at each start. */
  readonly keys: readonly (Key & { readonly description: string })[];
  /** Keys of earlier starts. */
  readonly restored?: readonly KeyRecord[];
  /** Called for each key that is created, changed or revoked. */
  readonly onRecord?: (record: KeyRecord) => void;
}

/** All keys of the sandbox's one user. */
export interface ApiKeyStore extends Keyring {
  /** The only reply with the secret. Throws a 429 above 20 a minute, a 400 above 500 active keys. */
  create(wanted: KeyRequest): object;
  /** Throws a 404 if the key was revoked. */
  read(id: string): object;
  list(): object[];
  update(change: KeyChange): object;
  revoke(id: string): void;
  /** Throws a 402 if the key has reached a cap of its current window. Call it before each paid request. */
  checkLimit(id: string): void;
  /** Throws a 403 if the key may not use the model. */
  checkModel(id: string, model: ModelRecord | undefined): void;
  /** Also for revoked keys, whose usage stays on the bill. */
  describe(id: string): string | undefined;
  /** Unix milliseconds; undefined for never. */
  expiresAtMs(id: string): number | undefined;
}

const creationsPerMinute = 20;
const maxActive = 500;
const trailingDays = 7;

export function createApiKeyStore(options: ApiKeyStoreOptions): ApiKeyStore {
  const { now, ids, spentSince, lastChargeMs, keys } = options;
  const records = new Map<string, KeyRecord>();
  const byDigest = new Map<string, string>();
  const creations = createRates(now, options.enforced ?? true);
  const remember = (record: KeyRecord) => {
    records.set(record.id, record);
    byDigest.set(record.digest.toString("hex"), record.id);
  };
  const enter = (key: Key, wanted: Omit<KeyRequest, "apiKeyType">): KeyRecord => {
    const record = recordOf(key, wanted, now());
    remember(record);
    options.onRecord?.(record);
    return record;
  };
  const isActive = (record: KeyRecord) =>
    !record.revoked && now() < (record.expiresAtMs ?? Number.POSITIVE_INFINITY);
  const present = (id: string): KeyRecord => {
    const record = records.get(id);
    if (record && !record.revoked) return record;
    throw new Refusal(404, "API key not found", { param: "id" });
  };
  const shown = (record: KeyRecord) => {
    const uses = [record.lastUsedAtMs, lastChargeMs(record.id)].filter((ms) => ms !== undefined);
    const lastUsedAtMs = uses.length === 0 ? undefined : Math.max(...uses);
    return readForm({ ...record, lastUsedAtMs }, spentSince(record.id, dayOf(now()) - trailingDays + 1));
  };
  for (const record of options.restored ?? []) remember(record);
  for (const key of keys) {
    const known = records.get(key.id);
    if (known) remember(withSecret(known, key.secret));
    else enter(key, key);
  }
  return {
    find(secret) {
      const digest = digestOf(secret);
      const record = records.get(byDigest.get(digest.toString("hex")) ?? "");
      if (!record || !timingSafeEqual(record.digest, digest) || !isActive(record)) return undefined;
      records.set(record.id, { ...record, lastUsedAtMs: now() });
      return { id: record.id, secret, type: record.type };
    },
    create(wanted) {
      creations.take("creations", { requests: creationsPerMinute });
      const active = [...records.values()].filter(isActive).length;
      if (active >= maxActive) throw new Refusal(400, `The limit of ${maxActive} active API keys is reached`);
      const secret = randomSecret(wanted.apiKeyType, options.keyPrefix);
      const record = enter({ id: uuidOf(ids.hex(32)), secret, type: wanted.apiKeyType }, wanted);
      return createdForm(record, secret);
    },
    read: (id) => shown(present(id)),
    list: () => [...records.values()].filter(({ revoked }) => !revoked).map(shown),
    update(change) {
      const record = changedRecord(present(change.id), change, now());
      records.set(record.id, record);
      options.onRecord?.(record);
      return shown(record);
    },
    revoke(id) {
      const record = { ...present(id), revoked: true };
      records.set(id, record);
      options.onRecord?.(record);
    },
    checkLimit(id) {
      const record = records.get(id);
      if (record) checkCaps(record, spentSince, now());
    },
    checkModel(id, model) {
      if (!model || model.model_spec.privacy === "private") return;
      const { modelPrivacy = "ALL" } = records.get(id) ?? {};
      if (modelPrivacy === "ALL" || (modelPrivacy === "PRIVATE_TEXT" && model.type !== "text")) return;
      throw new Refusal(
        403,
        `The model privacy of this API key, ${modelPrivacy}, does not allow ${model.id}`,
      );
    },
    describe: (id) => records.get(id)?.description,
    expiresAtMs: (id) => records.get(id)?.expiresAtMs,
  };
}

/** Replaces the secret of a key. */
function withSecret(record: KeyRecord, secret: string): KeyRecord {
  return { ...record, ...proofOf(secret), revoked: false };
}

export function recordOf(
  { id, secret, type }: Key,
  wanted: Omit<KeyRequest, "apiKeyType">,
  nowMs: number,
): KeyRecord {
  return {
    id,
    ...proofOf(secret),
    type,
    createdAtMs: nowMs,
    description: wanted.description,
    caps: changedCaps(noCaps, wanted.consumptionLimit),
    limitPeriod: wanted.limitPeriod ?? legacyPeriod,
    modelPrivacy: wanted.modelPrivacy,
    expiresAtMs: expiryOfDate(wanted.expiresAt, nowMs),
    lastUsedAtMs: undefined,
    revoked: false,
  };
}

function changedRecord(record: KeyRecord, change: KeyChange, nowMs: number): KeyRecord {
  const { description, consumptionLimit, limitPeriod, expiresAt, modelPrivacy } = change;
  return {
    ...record,
    description: description ?? record.description,
    caps: changedCaps(record.caps, consumptionLimit),
    limitPeriod: limitPeriod ?? record.limitPeriod,
    modelPrivacy: modelPrivacy ?? record.modelPrivacy,
    expiresAtMs: expiresAt === undefined ? record.expiresAtMs : expiryOfDate(expiresAt, nowMs),
  };
}

/** The stored digest of a secret. */
function proofOf(secret: string): Pick<KeyRecord, "digest" | "last6Chars"> {
  return { digest: digestOf(secret), last6Chars: secret.slice(-6) };
}

/** Secrets are looked up by digest, so that timing reveals nothing. */
function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

const periodNames: Readonly<Record<KeyLimitPeriod, string>> = {
  EPOCH: "a UTC day",
  MONTH: "a UTC month",
  LIFETIME: "the key's life",
};

/** Throws a 402 if the key has reached a spend cap of its current window. */
function checkCaps(
  { id, caps, limitPeriod }: Pick<KeyRecord, "id" | "caps" | "limitPeriod">,
  spentSince: (keyId: string, day: number) => KeyTotals,
  nowMs: number,
): void {
  if (Object.values(caps).every((cap) => cap === undefined)) return;
  const spent = spentSince(id, windowStart(limitPeriod, nowMs));
  const refuse = (currency: string, cap: Nano) => {
    const end = windowEndMs(limitPeriod, nowMs);
    const until = end === undefined ? "" : `; it resets at ${new Date(end).toISOString()}`;
    const limit = `${nanoText(cap)} ${currency} for ${periodNames[limitPeriod]}`;
    return new Refusal(402, `API key spend limit reached: ${limit}${until}`);
  };
  if (caps.usd !== undefined && spent.USD >= caps.usd) throw refuse("USD", caps.usd);
  if (caps.diem !== undefined && spent.DIEM >= caps.diem) throw refuse("DIEM", caps.diem);
  // VCU is the former name of DIEM: what is spent today is DIEM.
  if (caps.vcu !== undefined && addNano(spent.VCU, spent.DIEM) >= caps.vcu) throw refuse("VCU", caps.vcu);
}
