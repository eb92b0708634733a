import { render } from "preact";
import { ChatApp } from "./App.tsx";
import { createChatDeps } from "./chatDeps.ts";
import "./chat.css";
import "./conversation.css";
import "./turn.css";
import "./together.css";
import "./problem.css";
import "./welcome.css";
import "./composer/box.css";
import "./modelPicker.css";
import "./settings/settings.css";
import "./tokenChances.css";
import "./splitButton.css";
import "./toolCalls.css";
import "./schemaVerdict.css";
import "./composer/composer.css";
import "./composer/taskStrip.css";
import "./find/find.css";
import "./history/history.css";
import "../markdown/markdown.css";
import "../markdown/code.css";
import "../markdown/codeColours.css";
import "../markdown/sources.css";
import "./jsonTree.css";
import "../markdown/math.css";

const deps = createChatDeps({
  grammars: async () => (await import("../markdown/grammars.ts")).grammars,
  diagrams: async () => (await import("../markdown/diagramEngine.ts")).diagramEngine,
  math: async () => (await import("../markdown/mathEngine.ts")).mathEngine,
});
const { bridge } = deps;
render(<ChatApp deps={deps} />, document.body);
bridge.post("ready", bridge.kept?.draft ? { draft: bridge.kept.draft } : {});
