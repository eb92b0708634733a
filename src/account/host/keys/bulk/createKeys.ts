import { waitMs } from "../../../../api/call/retry.ts";
import type { Dialect } from "../../../../api/dialect/dialect.ts";
import { ApiError } from "../../../../api/errors/errors.ts";
import { ask } from "../../../../platform/editor/dialogs/ask.ts";
import { askModally } from "../../../../platform/editor/dialogs/modal.ts";
import { explain } from "../../../../platform/errors/errorMessage.ts";
import type { Account } from "../../accountOf.ts";
import type { AccountTools } from "../addAdmin.ts";
import { creationPauseMs, emptyKeyDraft, type NewKey, takesPrivacy } from "../keyForm.ts";
import { buttonOf, countOfKeys } from "../keyOwner.ts";
import {
  askDiem,
  askExpiry,
  askPeriod,
  askPrivacy,
  askSteps,
  askUsd,
  headerOf,
  type Step,
  taken,
} from "../keySteps.ts";
import { listed } from "./bulkReport.ts";
import { BulkRun } from "./bulkRun.ts";
import { batchSummary, countProblem, type KeyBatch, namesOf, namesProblem, newKeysOf } from "./keyBatch.ts";
import { runBulk } from "./runBulk.ts";
import { showSecretsOnce } from "./showSecrets.ts";

const title = "Create Several API Keys";
const noBatch: KeyBatch = { ...emptyKeyDraft, count: "5", owner: "" };

const stopped = () => new ApiError("cancelled", "stopped", { mayHaveArrived: false });

/**
 * Asks for number, names, owner and limits, says which keys will be created, creates them one after the other, and shows
 * their secrets once. `createdAtMs`: times of the keys that were created lately, which the service limits.
 */
export async function createKeys(
  account: Account,
  tools: AccountTools,
  dialect: Dialect,
  createdAtMs: number[],
): Promise<boolean> {
  const usual = [askCount, askNames, askOwner, askUsd, askDiem, askPeriod, askExpiry];
  const steps: readonly Step<KeyBatch>[] = takesPrivacy(dialect) ? [...usual, askPrivacy] : usual;
  const batch = await askSteps(noBatch, steps, { title, dialect });
  if (typeof batch !== "object" || !(await confirms(batch, account))) return false;
  const { admin, connection } = account;
  const { api } = await tools.session.clientOf(admin, { kind: "account" });
  const run = new BulkRun(newKeysOf(batch), {
    nameOf: ({ description }: NewKey) => description,
    isRepeatable: false,
    pause: (signal) => waitMs(creationPauseMs(createdAtMs, Date.now()), signal, stopped),
    // Not stopped half-way: a key whose answer is lost has a secret that nobody knows.
    act: async (key) => {
      createdAtMs.push(Date.now());
      const { data } = await api.keys.create(key);
      await tools.memory.addCreated(connection.id, data.id);
      return { id: data.id, name: key.description, secret: data.apiKey };
    },
    reasonOf: (error) => explain(error, { service: admin.name, kind: admin.kind }).sentence,
  });
  await runBulk(run, { title: "Creating keys", done: "created" });
  const made = run.done.map(([, key]) => key);
  if (made.length > 0) await showSecretsOnce(made, tools);
  return made.length + run.unsure.length > 0;
}

async function askCount(batch: KeyBatch, asking: Parameters<Step<KeyBatch>>[1]) {
  const answer = await ask({
    ...headerOf(asking),
    prompt: "Number of keys.",
    value: batch.count,
    problem: countProblem,
  });
  return taken(answer, (count) => ({ ...batch, count: count.trim() }));
}

async function askNames(batch: KeyBatch, asking: Parameters<Step<KeyBatch>>[1]) {
  const answer = await ask({
    ...headerOf(asking),
    prompt: "Names of the keys. {n} stands for the number of the key, and is appended if it is missing.",
    placeholder: "worker-{n}",
    value: batch.description,
    problem: (description) =>
      description.trim() === ""
        ? "Enter a name that says what the keys are for."
        : namesProblem(asking.dialect, { ...batch, description, owner: "" }),
  });
  return taken(answer, (description) => ({ ...batch, description }));
}

async function askOwner(batch: KeyBatch, asking: Parameters<Step<KeyBatch>>[1]) {
  const answer = await ask({
    ...headerOf(asking),
    prompt: "Owner of the keys, as a part of their names: worker-1 · ana. Leave it empty for none.",
    value: batch.owner,
    problem: (owner) => namesProblem(asking.dialect, { ...batch, owner }),
  });
  return taken(answer, (owner) => ({ ...batch, owner: owner.trim() }));
}

async function confirms(batch: KeyBatch, { admin }: Account): Promise<boolean> {
  const names = namesOf(batch);
  const button = buttonOf("Create", names.length);
  const detail = `${listed(names)}\n\nEach of them:\n${batchSummary(batch)}`;
  return (
    (await askModally(`Create ${countOfKeys(names.length)} at ${admin.name}?`, { detail }, button)) === button
  );
}
