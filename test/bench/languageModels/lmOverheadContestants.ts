// Contestants of the benchmark `lm-overhead`. Each asks once, and returns the delay of each part and the process's growth.
import { once } from "node:events";
import { request } from "node:http";
import { createApi, defaultTimeouts } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { table } from "../../../src/api/table.ts";
import { createHostTransport } from "../../../src/api/transport/host.ts";
import type { LanguageModelsDeps } from "../../../src/languageModels/deps.ts";
import type { ListedModel } from "../../../src/languageModels/languageModels.ts";
import { memento } from "../../unit/memento.ts";
import { openConsents } from "../../unit/session/openConsents.ts";
import { double } from "../../unit/vscodeDouble.ts";
import type { Prepare } from "../interleave.ts";
import { monotonicMs } from "../monotonicMs.ts";
import { watchRss } from "../rss.ts";

type Asked = "paced" | "many";

export const provider: Prepare<string, Asked> = async (origin) => {
  // The double has to be there before the first import of `vscode`.
  const { createLanguageModels } = await import("../../../src/languageModels/languageModels.ts");
  const connection = { id: "one", name: "One", kind: "live", baseUrl: `${origin}/api/v1` };
  const api = createApi(table, createHostTransport(), {
    baseUrl: `${origin}/api/v1`,
    apiKey: async () => "key",
    dialect: dialects.standard,
    timeouts: defaultTimeouts,
  });
  const models = createLanguageModels({
    session: { active: connection, clientOf: async () => ({ connection, api }) },
    connections: { all: () => [connection], byId: () => connection },
    chosenModels: { get: () => undefined },
    consents: openConsents(),
    globalState: memento(),
    log: { warn() {} },
  } as unknown as LanguageModelsDeps);
  const model = { id: "one/long", modelId: "long", connectionId: "one", name: "Long" } as ListedModel;
  const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };
  return (asked) =>
    watched((report) => {
      const content = [new double.LanguageModelTextPart(asked)];
      const messages = [{ role: 1, content, name: undefined }] as never;
      const progress = { report: (part: object) => report(String(Reflect.get(part, "value"))) };
      return models.respond(model, messages, { toolMode: 1 }, progress, token as never);
    });
};

/** Node's own client, a search for line ends, and JSON.parse. */
export const bare: Prepare<string, Asked> = (origin) => (asked) =>
  watched(async (report) => {
    const sent = request(`${origin}/api/v1/chat/completions`, { method: "POST" });
    sent.end(asked);
    const [response] = await once(sent, "response");
    let rest = "";
    for await (const bytes of response.setEncoding("utf8")) {
      const lines = (rest + bytes).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines)
        if (line.startsWith("data: {")) report(JSON.parse(line.slice(6)).choices[0].delta.content);
    }
  });

async function watched(run: (report: (text: string) => void) => Promise<void>) {
  const latencies: number[] = [];
  let characters = 0;
  const rss = watchRss();
  await run((text) => {
    characters += text.length;
    // Parts that arrive together are one.
    for (const time of text.match(/[\d.]+/g) ?? []) latencies.push(monotonicMs() - Number(time));
  });
  return { latencies, parts: characters / "word ".length, megabytes: rss.stop() };
}
