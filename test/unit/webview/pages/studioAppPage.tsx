// The script of the page in which the whole image studio is tested: its host is the test.
import { render } from "preact";
import { StudioApp } from "../../../../src/images/page/App.tsx";
import { createStudioBridge } from "../../../../src/images/page/bridge.ts";
import { StudioModel } from "../../../../src/images/page/studioModel.ts";
import type { FromStudio, ToStudio } from "../../../../src/images/protocol/studioProtocol.ts";

let state: object = {};
const said: FromStudio[] = [];
const received: string[] = [];
Object.assign(window, {
  acquireVsCodeApi: () => ({
    postMessage: (message: FromStudio) => said.push(message),
    getState: () => state,
    setState(next: object) {
      state = next;
    },
  }),
});
// Where the editor listens for its key bindings.
window.addEventListener("keydown", ({ key, ctrlKey }) => received.push(ctrlKey ? `Ctrl+${key}` : key));

const page = {
  start() {
    render(<StudioApp model={new StudioModel(createStudioBridge())} />, document.body);
  },
  hear: (message: ToStudio) => window.postMessage(message),
  /** The last message of this type. */
  said: (type: string) => said.findLast((message) => message.type === type)?.body,
  /** The keys that came to the editor. */
  heard: received,
};
export type StudioAppPage = typeof page;
Object.assign(window, { studioPage: page });
