import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { extensionId } from "../../../src/shared/names/ids.ts";
import { beginEvents, chunk, frame } from "../../loopback/answers.ts";
import type { Answer } from "../../loopback/server.ts";
import { replace } from "../vscodeDouble.ts";
import { ask, cancellation, live, model, openModels, user } from "./editorModels.ts";

const hello: Answer = (_, response) => {
  beginEvents(response, chunk("Hello"));
  response.end(frame("[DONE]"));
};
const from = (requestInitiator: string) => ({ requestInitiator });

/** Answers the modal questions, and notes them. */
function answerQuestions(t: TestContext, answer: () => string | undefined | Promise<string>) {
  const questions: string[] = [];
  const showWarningMessage = async (
    message: string,
    options: object,
    ...buttons: readonly { readonly title: string }[]
  ) => {
    questions.push(`${message}\n${Reflect.get(options, "detail")}`);
    const press = await answer();
    return buttons.find(({ title }) => title === press);
  };
  replace("window", { showWarningMessage }, t);
  return questions;
}

function installed(t: TestContext, packageJSON: object) {
  replace("extensions", { getExtension: () => ({ packageJSON }) }, t);
}

test("another extension is named in one question per connection, and then served", async (t) => {
  installed(t, { displayName: "Tidy\u202e Code" });
  const questions = answerQuestions(t, () => "Allow");
  const { models, server } = await openModels(t, hello, {
    connections: [live, { ...live, id: "c-2", name: "Two" }],
  });
  for (const sender of ["publisher.tidy", "Publisher.Tidy"])
    await ask(models.respond, [user("Hi")], from(sender));
  assert.equal(server.received.length, 2);
  assert.equal(questions.length, 1);
  assert.match(questions[0] ?? "", /"Tidy⟨U\+202E⟩ Code" \(publisher\.tidy\) to use the models of One\?/);
  assert.match(questions[0] ?? "", /cost money.*Switch Service/s);
  const { token } = cancellation();
  const options = { toolMode: 1, ...from("publisher.tidy") } as const;
  await models.respond({ ...model, connectionId: "c-2" }, [user("Hi")], options, { report() {} }, token);
  assert.match(questions[1] ?? "", /the models of Two\?/);
});

test("a refusal sends nothing, says how to allow it, and is not followed by another question", async (t) => {
  const questions = answerQuestions(t, () => undefined);
  const { models, server, consents } = await openModels(t, hello);
  for (let attempt = 0; attempt < 2; attempt++)
    await assert.rejects(ask(models.respond, [user("Hi")], from("constructor.proto")), {
      code: "NoPermissions",
      message:
        /^Nothing was sent, because you did not allow the extension constructor\.proto .*Switch Service/,
    });
  assert.equal(questions.length, 1);
  assert.equal(server.received.length, 0);
  assert.deepEqual(consents.all(), []);
});

test("a question that can't be shown is a refusal", async (t) => {
  answerQuestions(t, () => Promise.reject(new Error("no dialogs here")));
  const { models } = await openModels(t, hello);
  await assert.rejects(ask(models.respond, [user("Hi")], from("a.b")), { code: "NoPermissions" });
});

test("the editor's chat, built-in extensions and this one are not asked about", async (t) => {
  const questions = answerQuestions(t, () => undefined);
  const { models } = await openModels(t, hello);
  for (const own of ["core", "github.copilot-chat", extensionId])
    await ask(models.respond, [user("Hi")], from(own));
  installed(t, { isBuiltin: true });
  await ask(models.respond, [user("Hi")], from("vscode.git"));
  assert.deepEqual(questions, []);
});

test("two requests at once share a question; one that is cancelled stops waiting for it", async (t) => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const questions = answerQuestions(t, () => promise);
  const { models, server } = await openModels(t, hello);
  const waiting = [1, 2].map(() => ask(models.respond, [user("Hi")], from("a.b")));
  const { token, cancel } = cancellation();
  const options = { toolMode: 1, ...from("a.b") } as const;
  const cancelled = models.respond(model, [user("Hi")], options, { report: () => assert.fail() }, token);
  cancel();
  await cancelled;
  assert.equal(server.received.length, 0);
  resolve("Allow");
  await Promise.all(waiting);
  assert.equal(questions.length, 1);
  assert.equal(server.received.length, 2);
});

test("the list withdraws an approval, and allows what was refused", async (t) => {
  let press = "Allow";
  const questions = answerQuestions(t, () => press);
  const { models, server } = await openModels(t, hello);
  await ask(models.respond, [user("Hi")], from("a.allowed"));
  press = "Don't Allow";
  await assert.rejects(ask(models.respond, [user("Hi")], from("a.refused")));
  let listed: readonly { readonly label: string; readonly picked: boolean }[] = [];
  const pick = async (items: typeof listed) => {
    listed = items;
    return items.filter(({ picked }) => !picked);
  };
  replace("window", { showQuickPick: pick }, t);
  await models.commands["inference.languageModels.chooseExtensions"]();
  assert.deepEqual(
    listed.map(({ label, picked }) => [label, picked]),
    [
      ["a.allowed", true],
      ["a.refused", false],
    ],
  );
  await assert.rejects(ask(models.respond, [user("Hi")], from("a.allowed")), { code: "NoPermissions" });
  await ask(models.respond, [user("Hi")], from("a.refused"));
  assert.equal(server.received.length, 2);
  assert.equal(questions.length, 2);
});

test("the stored approvals are bounded", async (t) => {
  answerQuestions(t, () => "Allow");
  const { models, consents } = await openModels(t, hello);
  for (let index = 0; index < 510; index++) await ask(models.respond, [user("Hi")], from(`a.e${index}`));
  const kept = consents.all();
  assert.equal(kept.length, 500);
  const { kind, receiver, subject } = kept.at(-1) ?? assert.fail();
  assert.deepEqual([kind, receiver, subject], ["extension", "c-1 https://one.example", ["a.e509"]]);
});

test("a consent ends when the connection gets another address, also while the question is open", async (t) => {
  const moved = { ...live, baseUrl: "https://two.example/api/v1" };
  const connections = [live];
  const questions = answerQuestions(t, () => {
    connections[0] = moved;
    return "Allow";
  });
  const { models, server, consents } = await openModels(t, hello, { connections });
  await ask(models.respond, [user("Hi")], from("a.b"));
  assert.equal(questions.length, 2);
  assert.deepEqual(
    consents.all().map(({ subject, receiver }) => [...subject, receiver]),
    [
      ["a.b", "c-1 https://one.example"],
      ["a.b", "c-1 https://two.example"],
    ],
  );
  await ask(models.respond, [user("Hi")], from("a.b"));
  assert.deepEqual([questions.length, server.received.length], [2, 2]);
  connections[0] = { ...live, baseUrl: "https://three.example/api/v1" };
  await ask(models.respond, [user("Hi")], from("a.b"));
  assert.equal(questions.length, 3);
});

test("without a service, VS Code's chat offers to set one up before it asks anything", async (t) => {
  const messages: string[] = [];
  replace("window", { showInformationMessage: async (message: string) => void messages.push(message) }, t);
  const { models } = await openModels(t, hello, { connections: [] });
  await models.commands["inference.languageModels.useInVsCode"]();
  assert.deepEqual(messages, ["No service is set up. The sandbox needs no key and costs nothing."]);
});
