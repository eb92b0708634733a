import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ApiError } from "../../../src/api/errors/errors.ts";
import { settings } from "../../../src/shared/names/ids.ts";
import { signIn, testWallet } from "../../contract/suite/signInKit.ts";
import { configurationOf } from "../configurationDouble.ts";
import { replace } from "../vscodeDouble.ts";

const { WalletSigner } = await import("../../../src/wallet/walletSigner.ts");

const root = "https://api.example.com/api/v1";
const { address } = testWallet;

function requestOf(signer: "command" | "paste", more: { signal?: AbortSignal; refused?: ApiError } = {}) {
  const wallet = { address, signer };
  return {
    endpoint: "rpc.call",
    wallet,
    root,
    service: "Example",
    signal: undefined,
    refused: undefined,
    ...more,
  };
}

interface Box {
  title: string;
  prompt: string;
  password: boolean;
  value: string;
  buttons: readonly object[];
  validationMessage?: string;
  accept: () => Promise<void>;
  trigger: (button: object | undefined) => void;
  hide: () => void;
}

/** The input boxes that are opened, and what is copied. */
function inputBoxes(t: TestContext) {
  const copied: string[] = [];
  const waiting: ((box: Box) => void)[] = [];
  const opened: Box[] = [];
  const createInputBox = () => {
    const on: Record<string, (value?: unknown) => unknown> = {};
    const box: Record<string, unknown> = {
      value: "",
      accept: async () => on.onDidAccept?.(),
      trigger: (button: unknown) => on.onDidTriggerButton?.(button),
      hide: () => on.onDidHide?.(),
      dispose() {},
      show() {
        const next = waiting.shift();
        if (next) next(box as unknown as Box);
        else opened.push(box as unknown as Box);
      },
    };
    for (const name of ["onDidAccept", "onDidTriggerButton", "onDidHide", "onDidChangeValue"])
      box[name] = (listener: (value?: unknown) => unknown) => {
        on[name] = listener;
      };
    return box;
  };
  replace("window", { createInputBox, withProgress: (_: object, run: () => unknown) => run() }, t);
  replace("env", { clipboard: { writeText: async (text: string) => void copied.push(text) } }, t);
  const next = () => {
    const box = opened.shift();
    return box ? Promise.resolve(box) : new Promise<Box>((resolve) => waiting.push(resolve));
  };
  return { copied, next };
}

test("the user signs the message that was copied, and pastes the signature, which no box shows", async (t) => {
  const { copied, next } = inputBoxes(t);
  const header = new WalletSigner().sign(requestOf("paste"));
  const box = await next();
  assert.ok(box.password);
  assert.match(box.prompt, /a chain call/);
  box.trigger(box.buttons[0]);
  const [message = ""] = copied;
  box.value = await testWallet.signMessage({ message });
  await box.accept();
  const sent = JSON.parse(Buffer.from(await header, "base64").toString());
  assert.equal(sent.message, message);
});

test("what can't be sent stays in the box, with the reason", async (t) => {
  const { next } = inputBoxes(t);
  const header = new WalletSigner().sign(requestOf("paste"));
  const box = await next();
  box.value = await signIn({ baseUrl: "https://evil.example", now: Date.now });
  await box.accept();
  assert.match(box.validationMessage ?? "", /another service/);
  box.value = await signIn({ baseUrl: root, now: Date.now });
  await box.accept();
  assert.equal(await header, box.value);
});

test("a header is good once: the next call asks for another one", async (t) => {
  const { next } = inputBoxes(t);
  const signer = new WalletSigner();
  const pasted = await signIn({ baseUrl: root, now: Date.now });
  for (const expected of [undefined, /used before/]) {
    void signer.sign(requestOf("paste")).catch(() => {});
    const box = await next();
    box.value = pasted;
    await box.accept();
    if (expected) assert.match(box.validationMessage ?? "", expected);
    else assert.equal(box.validationMessage, undefined);
  }
});

test("leaving the box, or the end of its call, cancels the call; the next one in the queue is asked", async (t) => {
  const { next } = inputBoxes(t);
  const signer = new WalletSigner();
  const stop = new AbortController();
  const first = signer.sign(requestOf("paste"));
  const second = signer.sign(requestOf("paste", { signal: stop.signal }));
  const settled = Promise.allSettled([first, second]);
  (await next()).hide();
  await next();
  stop.abort();
  const kinds = (await settled).map((one) => (one.status === "rejected" ? one.reason.kind : "signed"));
  assert.deepEqual(kinds, ["cancelled", "cancelled"]);
});

test("a refused sign-in is asked for again with the reason, as plain text", async (t) => {
  const { next } = inputBoxes(t);
  const refused = { message: "expired\u202e [here](command:evil)" } as ApiError;
  void new WalletSigner().sign(requestOf("paste", { refused })).catch(() => {});
  const { prompt } = await next();
  assert.match(prompt, /refused the last one: expired⟨U\+202E⟩/);
  assert.equal(/\]\(command:/.test(prompt), false);
});

test("a workspace can't set the program", async (t) => {
  inputBoxes(t);
  const evil = [process.execPath, "-e", "process.exit(7)"];
  configurationOf(t, { user: {}, workspace: { [settings.walletCommand]: evil } });
  await assert.rejects(new WalletSigner().sign(requestOf("command")), /no program is set/);
});

test("a program's answer that can't be sent is not quoted", async (t) => {
  inputBoxes(t);
  const key = `0x${"ab".repeat(32)}`;
  configurationOf(t, {
    user: { [settings.walletCommand]: [process.execPath, "-e", `console.log("${key}")`] },
  });
  const failed = new WalletSigner().sign(requestOf("command"));
  await assert.rejects(failed, (error: ApiError) => {
    assert.equal(error.kind, "not-signed");
    assert.equal(JSON.stringify([error.message, error.details, error.stack]).includes("abab"), false);
    return true;
  });
});
