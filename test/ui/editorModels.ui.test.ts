// The editor's own features that use our models, in one window.
import { after, before, describe } from "node:test";
import { completionFiles, completionSettings, completionTests } from "./completions.ts";
import { nativeChatTests } from "./nativeChat.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

describe("models in the editor's own features", () => {
  let workbench: Workbench;
  before(async () => {
    const settings = { "inference.sandbox.autoStart": true, "inference.sandbox.tokensPerSecond": 100_000 };
    const all = { ...settings, ...completionSettings };
    workbench = await openWorkbench("editor-models", all, {}, completionFiles);
  });
  after(() => workbench.close());

  describe("inline completions", () => completionTests(() => workbench));
  describe("the editor's own chat", () => nativeChatTests(() => workbench));
});
