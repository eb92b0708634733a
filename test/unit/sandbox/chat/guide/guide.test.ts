import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  chatQuestions,
  commitQuestion,
  editInstructions,
  editQuestion,
} from "../../../../../src/editor/target/prompts.ts";
import { type Sandbox, startSandbox } from "../../../../../src/sandbox/main.ts";
import { completionPrompt, completionRules } from "../../../../../src/shared/chat/completionPrompt.ts";
import { sampleCode } from "../../../../../src/shared/names/sampleCode.ts";
import { fenced } from "../../../../../src/shared/text/fence.ts";

const docs = fileURLToPath(new URL("../../../../../media/docs", import.meta.url));

describe("the guide, on the extension's own documentation", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startSandbox({ docs }, { limits: "none" });
  });
  after(() => sandbox.close());

  interface Reply {
    readonly choices?: readonly { readonly message: { readonly content: string } }[];
  }

  /** The answer to the last of these questions, or the JSON body of its refusal. */
  async function say(...turns: string[]): Promise<string> {
    const messages: { role: string; content: string }[] = [];
    for (const content of turns) {
      messages.push({ role: "user", content });
      messages.push({ role: "assistant", content: await ask(messages) });
    }
    return messages.at(-1)?.content ?? "";
  }

  async function ask(messages: readonly object[]): Promise<string> {
    const response = await fetch(`${sandbox.baseUrl}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${sandbox.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "guide", messages }),
    });
    const { choices, ...refusal } = (await response.json()) as Reply;
    return choices?.[0]?.message.content ?? JSON.stringify(refusal);
  }

  /** Questions of new users, and the heading of the section that answers them. */
  const questions: Readonly<Record<string, string>> = {
    "how do I sign in?": "Sign in",
    "Where is my API key stored?": "Where the key is kept",
    "how can I cancel an answer while it streams": "Stop an answer",
    "what is the sandbox": "The sandbox",
    "can I use ollama": "Models that run on this machine",
    "which settings are there": "Settings and commands",
    "we have a corporate proxy": "Proxy",
    SELF_SIGNED_CERT_IN_CHAIN: "Certificates",
    "what is the rate limit of tier M": "Rate limits of text models",
    "can I use an environment variable for the key": "Key from the environment",
    "is there telemetry?": "Telemetry",
    "what happens when I reload the window": "Reload the window",
    "how much does an image edit cost": "Prices",
    "which VS Code version do I need": "What you need",
    "how do I make the sandbox faster": "Speed of the sandbox",
    "error 429": "The service: errors",
    "how do I use codex": "Codex with this service",
    "how do I set up claude code": "Claude Code with this service",
    "set up opencode": "OpenCode with this service",
    "use cline": "Cline with this service",
    "why is codex refused": "When Codex is refused",
    "what can the service do": "The service",
    "show me a table": "What an answer can hold",
    "how do I call the api with curl": "Call the API yourself",
    "how do I set a monthly budget": "Budgets",
    "pause and seek, next sentence": "Listen, pause, skip",
    "how can I paint a mask": "Masks",
    "how do I combine two pictures": "Pictures from pictures",
    "how do I attach a file": "Attach files and context",
    "can I write my own tool": "Your own tools",
    "which networks are there": "Networks",
    "what is @every": "Directives",
    "export my usage as csv": "Export the usage",
    "can it read a PDF?": "Documents as text",
    "how do I turn a web page into markdown": "Pages as Markdown",
  };
  for (const [question, heading] of Object.entries(questions)) {
    test(`${question} → ${heading}`, async () => {
      const answer = await say(question);
      assert.equal(answer.split("\n")[0], `## ${heading}`);
      assert.match(answer, /\*Quoted from the documentation: /);
    });
  }

  test("keeps tables and code whole", async () => {
    const answer = await say("show me a table");
    assert.match(answer, /\n\| headings, lists, quotes \| .* \|\n/);
    assert.equal(answer.match(/^```/gm)?.length, 2);
    assert.doesNotMatch(answer, /<!--/);
  });

  test("greets with questions that it can answer", async () => {
    const answer = await say("Hello!");
    assert.match(answer, /sandbox/);
    assert.match(answer, /\| Getting started \| How do I start\? \|/);
  });

  test("says what it can and can't do", async () => {
    assert.match(await say("what can you do?"), /## What I can do[\s\S]*not a language model/);
    assert.match(await say("write a poem about ferries"), /NEEDS_LANGUAGE_MODEL.*can't write/);
  });

  for (const question of [
    "what is the capital of France?",
    "explain quantum computing",
    "how does react work",
    "???",
  ]) {
    test(`refuses “${question}” with the next step instead of an empty answer`, async () => {
      const answer = await say(question);
      assert.match(answer, /^\{"code":"NEEDS_LANGUAGE_MODEL","error":"The sandbox [^"]*[^."]"/);
      assert.doesNotMatch(answer, /Quoted from|\|/);
    });
  }

  /** An edit and a completion of this code, as the editor asks for them. */
  const asEdit = (selected: string, instruction = editInstructions.document) =>
    editQuestion({
      instruction,
      name: "a.ts",
      languageId: "typescript",
      before: "",
      selected,
      after: "",
      problems: [],
    });
  const asCompletion = (before: string) => [
    { role: "system", content: completionRules },
    {
      role: "user",
      content: completionPrompt({
        name: "a.ts",
        languageId: "typescript",
        before,
        after: "",
        lines: "one",
        excerpts: [],
      }),
    },
  ];

  test("answers about the sample of the tour: in the chat, as an edit and as a completion", async () => {
    const attached = fenced(sampleCode, "typescript");
    assert.match(
      await say(`hello.ts (lines 1 to 6):\n${attached}\n\n${chatQuestions.explain}`),
      /returns a greeting/,
    );
    assert.match(await say(asEdit(sampleCode)), /^```typescript\n\/\*\*\n \* Returns a greeting\./);
    assert.equal(await ask(asCompletion(`${sampleCode}console.log(`)), 'greet("Ada"));');
    assert.equal(await ask(asCompletion(`${sampleCode}let `)), "");
  });

  test("says of other code that it needs a model, and what the sample offers", async () => {
    const other = "function add(a, b) {\n  return a + b;\n}";
    const refused =
      /^\{"code":"NEEDS_LANGUAGE_MODEL","error":"The sandbox has no language model\. .*hello\.ts.*needs a model"/;
    assert.match(await say(`${chatQuestions.explain}\n\n${fenced(other, "typescript")}`), refused);
    assert.match(await say(asEdit(other)), refused);
    assert.match(await say(asEdit(sampleCode, "Make it shout")), refused);
    assert.match(await ask(asCompletion("function add(a, b) {\n  ")), refused);
    assert.match(await ask([{ role: "system", content: completionRules }]), refused);
  });

  test("lists the files of a commit", async () => {
    const diff = "diff --git a/notes.md b/notes.md\n--- a/notes.md\n+++ b/notes.md\n@@ -1 +1 @@\n-a\n+b\n";
    assert.equal(
      await say(commitQuestion({ diff, branch: "main", recent: [], typed: "" })),
      "Change notes.md",
    );
  });

  test("continues an answer exactly where it was cut", async () => {
    const question = "what is the sandbox";
    const whole = await say(question);
    for (const cut of [1, 40, Math.floor(whole.length / 2), whole.length - 1]) {
      const reply = await ask([
        { role: "user", content: question },
        { role: "assistant", content: whole.slice(0, cut) },
        { role: "user", content: "Your answer broke off. Go on exactly where it ended." },
      ]);
      assert.equal(whole.slice(0, cut) + reply, whole);
    }
  });

  test("answers what a request costs from the prices", async () => {
    for (const question of [
      "what does a request cost",
      "How much does one request cost?",
      "what does a web search cost",
    ]) {
      assert.match(await say(question), /Quoted from the documentation: [^*]*[Pp]rice/);
    }
  });

  test("reads a short question together with the one before", async () => {
    assert.match(await say("how do I use a proxy?", "tell me more"), /^## Transport\n/);
  });

  test("its example questions are answered by the page that contains them", async () => {
    const rows = (await say("what can you do?")).matchAll(/^\| ([^|]+) \| ([^|]+\?) \|$/gm);
    const examples = [...rows].map(([, page = "", question = ""]) => ({ page, question }));
    assert.ok(examples.length >= 10);
    for (const { page, question } of examples) {
      const quoted = /\*Quoted from the documentation: (.*?)\.\*/.exec(await say(question))?.[1] ?? "";
      assert.ok(quoted.includes(page), `${question} is answered from ${quoted}`);
    }
  });

  test("cites pages of the documentation that can be opened", async () => {
    const origin = new URL(sandbox.baseUrl).origin;
    const page = await fetch(`${origin}/docs/chat`);
    assert.match(await page.text(), /<h2 id="stop-an-answer">/);
    assert.equal((await fetch(`${origin}/docs/nothing`)).status, 404);
  });
});
