import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ApiError } from "../../../../src/api/errors/errors.ts";
import { serviceToolNames } from "../../../../src/shared/names/ids.ts";
import { cancellation } from "../../languageModels/editorModels.ts";
import { double, replace } from "../../vscodeDouble.ts";
import { answerDialogs, openTools } from "../agentTools.ts";

const paid = { connection: { id: "c-1", kind: "live", name: "One" } } as const;

test("each tool runs with the sandbox, unasked, and its calls have the tool as their source", async (t) => {
  const { text, invoke, sources: callers, folder } = await openTools(t);
  assert.match(await text("search_web", { query: "chat", limit: 2 }), /^# /);
  const sources = await text("ask_web", { question: "chat" });
  assert.match(sources, /^Source \[1\]: .+\nhttp:\/\/.+\n```\n/);
  assert.match(
    await text("call_chain", { network: "ethereum-mainnet", method: "eth_blockNumber" }),
    /"result": "0x/,
  );
  const usage = JSON.parse(await text("usage", {}));
  assert.deepEqual(usage.today, { amounts: {}, isComplete: true });
  assert.equal(usage.isPlayMoney, true);
  assert.ok(Object.keys(usage.balances).length > 0);
  const [said, sound] = await invoke("speak_text", { text: "Hello." });
  const [, path = ""] = /saved as (\S+)\. Price: \$[\d.]+ play money/.exec(said?.value ?? "") ?? [];
  assert.ok(path.startsWith(folder));
  assert.ok(readFileSync(path).equals(sound?.data ?? new Uint8Array()));
  assert.match(sound?.mimeType ?? "", /^audio\//);
  assert.deepEqual(new Set(callers.map((caller) => caller?.kind)), new Set(["tool"]));
});

test("a picture is made and changed, as a part of the result and as a file", async (t) => {
  const { invoke } = await openTools(t);
  const [said, picture] = await invoke("generate_image", { prompt: "A red boat" });
  assert.match(said?.value ?? "", /^Picture of \d+ × \d+ pixels\. Saved as \/.+\. Price: \$/);
  assert.match(picture?.mimeType ?? "", /^image\//);
  const image = `data:${picture?.mimeType};base64,${Buffer.from(picture?.data ?? []).toString("base64")}`;
  const [, edited] = await invoke("edit_image", { prompt: "Make it blue", image });
  assert.match(edited?.mimeType ?? "", /^image\//);
  await assert.rejects(
    invoke("edit_image", { prompt: "x", image: "data:image/png;base64,AAAA" }),
    /image: The file can't be read/,
  );
  await assert.rejects(
    invoke("generate_image", { prompt: "x", model: "nope" }),
    /no model nope that can make pictures.*It lists: /,
  );
  await assert.rejects(
    invoke("speak_text", { text: "x", voice: "nobody" }),
    /no voice nobody|It lists|It has/,
  );
});

test("a picture by its web address is read by the service, and its address is asked about", async (t) => {
  const { invoke, prepare, sandbox } = await openTools(t, paid);
  answerDialogs(t, (buttons) => buttons.at(-1));
  const image = "http://127.0.0.1:9/cat.png";
  const { confirmationMessages } = await prepare("edit_image", { prompt: "Make it blue", image });
  const asked = String(Object(confirmationMessages?.message).value).replaceAll("\\", "");
  assert.match(asked, /One receives the prompt, and reads http:\/\/127\.0\.0\.1:9\/cat\.png/);
  // Nothing listens there, which the sandbox says.
  await assert.rejects(invoke("edit_image", { prompt: "Make it blue", image }), /can't be fetched/);
  const sent = sandbox.requests.findLast(({ path }) => path.endsWith("/image/edit"));
  assert.equal(JSON.parse(sent?.bodyText ?? "{}").image, image);
  const count = sandbox.requestCount;
  const hidden = "http://192.168.1.7/a.png";
  await assert.rejects(invoke("edit_image", { prompt: "x", image: hidden }), /192\.168\.1\.7 is not public/);
  assert.equal(sandbox.requestCount, count);
});

test("an input that breaks its schema is refused with path and rule, and nothing is sent", async (t) => {
  const { invoke, prepare, sandbox } = await openTools(t);
  for (const [name, input, reason] of [
    ["search_web", {}, /query/],
    ["search_web", { query: "x".repeat(401) }, /query is too long: at most 400/],
    ["search_web", { query: "x", limit: 0 }, /limit 0 is below 1/],
    ["search_web", { query: "x", constructor: 1 }, /constructor/],
    ["read_page", { url: "file:///etc/passwd" }, /url .* does not match \^https/],
    ["read_page", { url: "http://192.168.0.1/" }, /not public/],
    ["call_chain", { network: "../keys", method: "eth_call" }, /network .* does not match/],
    ["generate_image", { prompt: "x", size: "1x1" }, /size .* is none of/],
    ["read_more", { handle: "nope", offset: 0 }, /no longer kept/],
  ] as const) {
    await assert.rejects(invoke(name, input), reason, name);
    if (name !== "read_more") await assert.rejects(prepare(name, input), reason, name);
  }
  for (const value of [null, [], 1, "x"])
    await assert.rejects(invoke("search_web", value as never), /inference_search_web was not run/);
  assert.equal(sandbox.requestCount, 0);
});

test("a price is shown to the user before the first use, by the editor or by us, once", async (t) => {
  const { invoke, prepare, consents, sent } = await openTools(t, paid);
  const asked = answerDialogs(t, () => undefined);
  const prepared = await prepare("search_web", { query: "a *bold*\nquery" });
  assert.match(
    String(prepared.confirmationMessages?.title),
    /^Search the web for “a \*bold\*⟨U\+000A⟩query” for \$0\.01$/,
  );
  assert.match(
    Object(prepared.confirmationMessages?.message).value,
    /^Price\\: \\\$0\\\.01\\, paid at One\\\.\n\nOne receives the words of the search\\\.$/,
  );
  // Another input was not shown.
  await assert.rejects(invoke("search_web", { query: "b" }), /the user declined/);
  assert.match(asked[0] ?? "", /^Search the web for “b” for \$0\.01\?/);
  assert.equal(sent().length, 0);
  await invoke("search_web", { query: "a *bold*\nquery" });
  assert.deepEqual(
    consents.all().map(({ kind, receiver, subject, usd }) => ({ kind, receiver, subject, usd })),
    [{ kind: "tool", receiver: "c-1 ", subject: [serviceToolNames.searchWeb], usd: 0.01 }],
  );
  assert.equal((await prepare("search_web", { query: "b" })).confirmationMessages, undefined);
  await invoke("search_web", { query: "b" });
  assert.equal(asked.length, 1);
  // Reading a chain costs less than a hundredth of a cent.
  await invoke("call_chain", { network: "ethereum-mainnet", method: "eth_chainId" });
  assert.equal(asked.length, 1);
});

test("a transaction is shown decoded and confirmed each time; without consent it is never sent", async (t) => {
  const { invoke, prepare, sent } = await openTools(t, {
    describeWrite: async ({ method }) => [`Method: ${method}`, "To: 0xabc", "Value: 1 ETH"],
  });
  // The first button has the focus: Enter.
  let place = 0;
  const asked = answerDialogs(t, (buttons) => buttons.at(place));
  const send = { network: "ethereum-mainnet", method: "eth_sendRawTransaction", params: ["0x02"] };
  assert.equal((await prepare("call_chain", send)).confirmationMessages, undefined);
  await assert.rejects(invoke("call_chain", send), /the user declined/);
  assert.equal(sent().length, 0);
  assert.match(
    asked[0] ?? "",
    /^Send a transaction to ethereum-mainnet for .*\?\n[\s\S]*To: 0xabc\nValue: 1 ETH[\s\S]*can't be undone/,
  );
  place = -1;
  await invoke("call_chain", send);
  await invoke("call_chain", send);
  assert.equal(asked.length, 3);
  assert.equal(sent().length, 2);
});

test("methods for which the node signs, and writes that can't be decoded, are refused", async (t) => {
  const asked = answerDialogs(t, (buttons) => buttons.at(-1));
  const { invoke, sent } = await openTools(t, {
    describeWrite: async () => {
      throw new Error("These bytes are not a signed transaction");
    },
  });
  const call = (method: string) =>
    invoke("call_chain", { network: "ethereum-mainnet", method, params: ["0x"] });
  const refused = [
    "eth_sendTransaction",
    "personal_sign",
    "anvil_setBalance",
    "eth_signTypedData_v4",
    "wallet_addEthereumChain",
    " eth_sign",
    "evm_mine",
  ];
  for (const method of refused) await assert.rejects(call(method), /the node would sign/, method);
  for (const method of ["eth_sendRawTransaction", "eth_sendUserOperation", "starknet_addInvokeTransaction"])
    await assert.rejects(call(method), /not a signed transaction/, method);
  assert.deepEqual([asked.length, sent().length], [0, 0]);
});

test("a cancelled call ends at the socket, and one that is cancelled before is not sent", async (t) => {
  const { sandbox, invoke } = await openTools(t, {
    faults: [{ match: { path: "/augment/search" }, kind: "slow-headers", ms: 600_000 }],
  });
  const { token, cancel, listeners } = cancellation();
  const running = invoke("search_web", { query: "x" }, token);
  const request = await sandbox.nextRequest();
  cancel();
  await assert.rejects(running, double.CancellationError);
  await request.ended;
  assert.equal(request.aborted, true);
  await assert.rejects(invoke("search_web", { query: "x" }, token), double.CancellationError);
  assert.equal(sandbox.requestCount, 1);
  assert.equal(listeners.size, 0);
});

test("a budget, a missing connection and an untrusted workspace are told as sentences", async (t) => {
  const { invoke } = await openTools(t, {
    admit: async () => {
      throw new ApiError("payment-required", "the budget of this day is used up", {
        source: "budget",
        mayHaveArrived: false,
      });
    },
  });
  await assert.rejects(
    invoke("search_web", { query: "x" }),
    /^Error: Nothing was sent, because the budget of this day is used up\. Change the budget/,
  );
  const out = await openTools(t, { isSignedOut: true });
  await assert.rejects(
    out.invoke("usage", {}),
    /no service is connected\. Run “Inference Connection: Sign In…”/,
  );
  replace("workspace", { isTrusted: false }, t);
  for (const [name, input] of [
    ["parse_document", { path: "a.pdf" }],
    ["edit_image", { prompt: "x", image: "a.png" }],
  ] as const)
    await assert.rejects(invoke(name, input), /this workspace is not trusted/);
  await assert.rejects(invoke("parse_document", { path: ".env" }), /looks like a file of keys/);
});

test("a call that is cancelled while its question is open ends then, was not billed, and the log says so", async (t) => {
  const { invoke, sent, logged, consents } = await openTools(t, paid);
  const { promise, resolve } = Promise.withResolvers<string>();
  const asked = Promise.withResolvers<void>();
  const showInformationMessage = async () => {
    asked.resolve();
    return promise;
  };
  replace("window", { showInformationMessage }, t);
  const { token, cancel } = cancellation();
  const call = invoke("search_web", { query: "a" }, token);
  await asked.promise;
  cancel();
  await assert.rejects(call, double.CancellationError);
  assert.deepEqual(logged, ["inference_search_web was cancelled. Nothing was sent or billed."]);
  // The dialog is still open: its answer sends nothing.
  resolve("Search");
  await promise;
  assert.equal(sent().length, 0);
  assert.ok(consents.all().every(({ kind }) => kind === "tool"));
});
