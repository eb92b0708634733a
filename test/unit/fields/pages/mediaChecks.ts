// Checks of the speech player and of RPC notebooks.

import { toOutput } from "../../../../src/rpc/run/output.ts";
import { exactJsonText } from "../../../../src/shared/text/json/exactJson.ts";
import { SpeechModels, type SpeechModelsDeps } from "../../../../src/speech/host/speechModels.ts";
import { connection } from "../../account/host/accountRows.ts";
import type { TestBrowser } from "../../webview/browser.ts";
import { openPage } from "../../webview/page.ts";
import type { Check, Values } from "../check.ts";
import { differs } from "../check.ts";
import { runRpc } from "../runRpc.ts";
import { openPlayer, pageText, playerState, showPlayer } from "./openForms.ts";
import type { PageCheck } from "./pageChecks.ts";

declare const outputPage: { draw(json: string): void };

async function openPlayerView(browser: TestBrowser): Promise<Check["text"]> {
  const page = await openPlayer(browser);
  return async (api) => {
    const deps = {
      session: { client: async () => ({ api, connection }) },
      choices: { lastModel: () => undefined, get: () => undefined, set: () => {} },
      voices: { of: () => [] },
    } as unknown as SpeechModelsDeps;
    const { cards, choice } = await new SpeechModels(deps).ensure();
    await showPlayer(page, { ...playerState, models: cards, choice });
    // The state arrives as a message.
    await page.getByText(choice.voice).first().waitFor();
    return pageText(page);
  };
}

async function openNotebook(browser: TestBrowser): Promise<Check["text"]> {
  const { page } = await openPage(browser, "outputPage.tsx");
  return async (api) => {
    const run = await runRpc(api, "eth_blockNumber");
    const output = toOutput(run, { runId: "run", evm: undefined, service: "Service", isSandbox: false });
    await page.evaluate((json) => outputPage.draw(json), exactJsonText(output));
    return pageText(page);
  };
}

const speech: Readonly<Record<string, Values>> = {
  "data.type": ["tts", "tts"],
  "data.model_spec.offline": [false, false],
  "data.model_spec.voices": [["ada"], ["bob"], "bob"],
  "data.model_spec.supported_formats": [["mp3"], ["flac"], "FLAC"],
  "data.model_spec.default_format": ["wav", "opus", "Opus"],
  "data.model_spec.supportsPromptParam": [true, false, differs],
  "data.model_spec.supportsTemperatureParam": [true, false, differs],
  "data.model_spec.supportsTopPParam": [true, false, differs],
};

const answer: Readonly<Record<string, Values>> = { jsonrpc: ["2.0", "2.0"], id: [1, 1] };

export const mediaChecks: readonly PageCheck[] = [
  {
    row: "models.list",
    view: "Speech player",
    values: speech,
    without: ["data.model_spec.default_format"],
    open: openPlayerView,
  },
  {
    row: "models.list",
    view: "Speech player",
    values: speech,
    without: ["data.model_spec.supported_formats"],
    open: openPlayerView,
  },
  {
    row: "rpc.call",
    view: "RPC notebook",
    values: { ...answer, result: ["0x10d", "0x2af", "687"] },
    without: ["error"],
    open: openNotebook,
  },
  { row: "rpc.call", view: "RPC notebook", values: answer, without: ["result"], open: openNotebook },
];
