// A process that streams an answer into the log of a conversation, like a window:
// `streamer.ts <folder> <id> <name> <count>`. After each piece it writes the time to stdout, at the end "end".
import {
  createConversationLog,
  openConversationLog,
} from "../../../../../src/chat/host/history/log/conversationLog.ts";
import { answer, append, logDeps } from "./logFolder.ts";

const [folder = "", id = "", name = "", count = "0"] = process.argv.slice(2);
const deps = logDeps(folder, id);
const opened = await openConversationLog(deps);
const log = opened?.log ?? createConversationLog(deps);
log.append([answer(name, null)]);
let text = "";
for (let piece = 0; piece < Number(count); piece++) {
  const word = `${name}${piece} `;
  log.append([append(name, text.length, word)]);
  text += word;
  process.stdout.write(`${performance.now()} ${text.length}\n`);
  await new Promise((resolve) => setTimeout(resolve, 1));
}
log.close();
process.stdout.write("end\n");
