// A window of its own in which an answer is written: `streamingWindow.ts <folder> <base URL> <key>`. It never ends by itself.
import type { TestContext } from "node:test";
import { openChat, openViewWith } from "./chat.ts";

const [folder = "", baseUrl = "", apiKey = ""] = process.argv.slice(2);
const t = { after() {} } as unknown as TestContext;
const sandbox = { baseUrl, apiKey } as Parameters<typeof openChat>[1]["sandbox"];
const remembered = new Map([["current", "shared"]]);
const view = await openViewWith(openChat(t, { sandbox, remembered }, { folder }).controller, "long");
process.stdout.write(`${view.state.conversationId}\n`);
await view.say("send", { text: "100000 tokens", revision: Date.now() });
