// Our actions in the editor, and the editor's own features that use our models, in one window.
import { after, before, describe } from "node:test";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { completionFiles, completionSettings, completionTests } from "./completions.ts";
import { actionTests, commitAll } from "./editorActions.ts";
import { nativeChatTests } from "./nativeChat.ts";

describe("models in the editor", () => {
  let workbench: Workbench;
  before(async () => {
    const settings = { "inference.sandbox.autoStart": true, "inference.sandbox.tokensPerSecond": 150 };
    const all = { ...settings, ...completionSettings };
    workbench = await openWorkbench("editor", all, {}, completionFiles, commitAll);
  });
  after(() => workbench.close());

  describe("actions", () => actionTests(() => workbench));
  describe("inline completions", () => completionTests(() => workbench));
  describe("the editor's own chat", () => nativeChatTests(() => workbench));
});
