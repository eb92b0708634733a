import { dayMs } from "../../shared/time/days.ts";
import { type Ids, uuidOf } from "../state/ids.ts";
import { type KeyRequest, recordOf } from "./apiKeyStore.ts";
import type { KeyRecord } from "./keyRecord.ts";
import { randomSecret } from "./keyring.ts";

const wanted = {
  pipeline: {
    apiKeyType: "INFERENCE",
    description: "Example: CI pipeline",
    consumptionLimit: { usd: 5 },
    limitPeriod: "MONTH",
  },
  docs: {
    apiKeyType: "INFERENCE",
    description: "Example: docs site",
    consumptionLimit: { diem: 2 },
    limitPeriod: "EPOCH",
  },
  monitor: { apiKeyType: "INFERENCE", description: "Example: chain monitor" },
} as const satisfies Record<string, KeyRequest>;

/** Created before the example month. Their secrets are not stored anywhere. */
const ageMs = 34 * dayMs;

/** The keys of the example month, with their ids. */
export function exampleKeys(
  ids: Ids,
  nowMs: number,
): { readonly keys: readonly KeyRecord[]; readonly idOf: Record<keyof typeof wanted, string> } {
  const record = (key: KeyRequest) =>
    recordOf(
      { id: uuidOf(ids.hex(32)), secret: randomSecret(key.apiKeyType), type: key.apiKeyType },
      key,
      nowMs - ageMs,
    );
  const [pipeline, docs, monitor] = [record(wanted.pipeline), record(wanted.docs), record(wanted.monitor)];
  return {
    keys: [pipeline, docs, monitor],
    idOf: { pipeline: pipeline.id, docs: docs.id, monitor: monitor.id },
  };
}
