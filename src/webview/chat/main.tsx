import { render } from "preact";
import { createHighlighter } from "../markdown/highlighter.ts";
import { App } from "./App.tsx";
import { createBridge } from "./bridge.ts";
import { createChatStore } from "./chatStore.ts";
import "./chat.css";

const bridge = createBridge();
const store = createChatStore(bridge);
const highlighter = createHighlighter(async () => (await import("../markdown/grammars.ts")).grammars);
render(<App store={store} bridge={bridge} highlighter={highlighter} />, document.body);
