import { render } from "preact";
import { ChatApp } from "./App.tsx";
import { createChatDeps } from "./store/chatDeps.ts";
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
import "./composer/task/task.css";
import "./composer/approval.css";
import "./find/find.css";
import "./history/history.css";
import "../../webview/markdown/markdown.css";
import "../../webview/markdown/code.css";
import "../../webview/markdown/codeColours.css";
import "../../webview/markdown/sources.css";
import "./details/askCard.css";
import "./details/jsonTree.css";
import "../../webview/markdown/engines/math.css";

const deps = createChatDeps({
  grammars: async () => (await import("../../webview/markdown/engines/grammars.ts")).grammars,
  diagrams: async () => (await import("../../webview/markdown/engines/diagramEngine.ts")).diagramEngine,
  math: async () => (await import("../../webview/markdown/engines/mathEngine.ts")).mathEngine,
});
const { bridge } = deps;
render(<ChatApp deps={deps} />, document.body);
bridge.post("ready", bridge.kept?.draft ? { draft: bridge.kept.draft } : {});
