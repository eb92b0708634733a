// A process in which an answer streams, like a window: `streamingWindow.ts <folder> <base URL> <key>`. It prints the id
// of the conversation once part of the answer is on disk, and never ends by itself.
import type { TestContext } from "node:test";
import { openChat, openViewWith } from "./chat.ts";

const [folder = "", baseUrl = "", apiKey = ""] = process.argv.slice(2);
const t = { after() {} } as unknown as TestContext;
const sandbox = { baseUrl, apiKey } as Parameters<typeof openChat>[1]["sandbox"];
const remembered = new Map([["current", "shared"]]);
const chat = openChat(t, { sandbox, remembered }, { folder });
const view = await openViewWith(chat.controller, "long");
await view.say("send", { text: "100000 tokens", revision: Date.now() });
// Checked with each received piece.
await view.until(() => Object.values(chat.files()).some((log) => log.includes('"e":"append"')));
process.stdout.write(`${view.state.conversationId}\n`);
