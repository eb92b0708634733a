// A refusal of payment says what helps, and its first button does it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, type ApiErrorDetails, type PaymentSource } from "../../../../src/api/errors/errors.ts";
import { errorActionIds } from "../../../../src/shared/errorActions.ts";
import { commands, settings } from "../../../../src/shared/names/ids.ts";
import { replace } from "../../vscodeDouble.ts";

const { explain } = await import("../../../../src/platform/errors/errorMessage.ts");
const { runErrorAction } = await import("../../../../src/platform/errors/errorActions.ts");

interface Row {
  /** The next step at the end of the sentence. */
  readonly step: RegExp;
  /** The buttons, for a live service and for the sandbox. */
  readonly live: string;
  readonly sandbox: string;
  readonly details?: Partial<ApiErrorDetails>;
}

/** `Retry` where the step is done beside the question, in the settings of the chat, or at the service. */
const rows: Readonly<Record<PaymentSource | "unpriced, hard stop" | "unbounded, hard stop", Row>> = {
  account: {
    step: /Top up the balance there and press Retry, or switch to another service\.$/,
    live: "Retry, Switch Service, Set Key, Use the Sandbox",
    sandbox: "Retry, Switch Service",
  },
  "key-limit": {
    step: /Raise the limit, wait until it resets, or set another key\.$/,
    live: "Edit API Key, Set Key, Retry, Use the Sandbox",
    sandbox: "Edit API Key, Retry",
  },
  wallet: { step: /Top it up, then try again\.$/, live: "Retry, Set Key", sandbox: "Retry" },
  credential: {
    step: /requires a key for this: .*Set a key\.$/,
    live: "Set Key, Use the Sandbox",
    sandbox: "",
  },
  budget: {
    step: /Change the budget in the settings, or wait until the next period begins \(UTC\)\.$/,
    live: "Change Budget, Retry",
    sandbox: "Change Budget, Retry",
  },
  "budget-unread": {
    step: /Correct it in the settings, and try again\.$/,
    live: "Change Budget, Retry",
    sandbox: "Change Budget, Retry",
  },
  task: {
    step: /Raise the cap beside Send, and press Retry to go on\.$/,
    live: "Retry",
    sandbox: "Retry",
  },
  limit: {
    step: /Raise the limit in the settings of this chat, and press Retry to go on\.$/,
    live: "Retry",
    sandbox: "Retry",
  },
  unpriced: {
    step: /Choose a model for which the service lists its price and its context size\.$/,
    live: "Retry",
    sandbox: "Retry",
  },
  "unpriced, hard stop": {
    step: /lists its price and its context size, or let the budget warn instead of stopping\.$/,
    live: "Retry, Change Budget",
    sandbox: "Retry, Change Budget",
    details: { source: "unpriced", isForHardStop: true },
  },
  unbounded: {
    step: /Set “Longest answer” in Settings of This Chat, and press Retry\.$/,
    live: "Retry",
    sandbox: "Retry",
  },
  "unbounded, hard stop": {
    step: /Set “Longest answer” in Settings of This Chat, and press Retry\.$/,
    live: "Retry, Change Budget",
    sandbox: "Retry, Change Budget",
    details: { source: "unbounded", isForHardStop: true },
  },
  ledger: {
    step: /Make the file writable, and try again\.$/,
    live: "Retry, Show Log",
    sandbox: "Retry, Show Log",
  },
};

for (const [name, { step, live, sandbox, details }] of Object.entries(rows))
  test(`a refusal (${name}) says the next step, and has buttons that do it`, () => {
    const source = name as PaymentSource;
    const error = new ApiError("payment-required", "it is spent.", { source, ...details });
    const at = (kind: "live" | "sandbox") => explain(error, { service: "One", kind });
    assert.match(at("live").sentence, step);
    const buttons = (kind: "live" | "sandbox") =>
      at(kind)
        .actions.map(({ label }) => label)
        .join(", ");
    assert.deepEqual([buttons("live"), buttons("sandbox")], [live, sandbox]);
  });

test("each button opens the place where its step is done", async (t) => {
  const opened: string[] = [];
  const executeCommand = async (...called: readonly string[]) => void opened.push(called.join(" "));
  replace("commands", { executeCommand }, t);
  for (const id of errorActionIds) if (id !== "retry" && id !== "sendAsText") await runErrorAction(id);
  const known = new Set<string>(Object.values(commands));
  const openSettings = "workbench.action.openSettings ";
  for (const call of opened)
    assert.ok(
      known.has(call.replace(/ stay$/, "")) || call.startsWith(openSettings),
      `${call} is no command of ours`,
    );
  // The user goes on where the error is shown, such as in a notebook, not in the chat.
  assert.ok(opened.includes(`${commands.connectionSignIn} stay`));
  assert.ok(opened.includes(`${commands.connectionUseSandbox} stay`));
  assert.ok(opened.includes(commands.accountChangeBudget));
  assert.ok(opened.includes(commands.accountEditKey));
  assert.ok(opened.includes(`${openSettings}${settings.walletCommand}`));
});
