import { grammars } from "../../../src/webview/markdown/grammars.ts";
import { createHighlighter } from "../../../src/webview/markdown/highlighter.ts";
import { createMarkdownStream } from "../../../src/webview/markdown/markdownStream.ts";

const highlighter = createHighlighter(async () => grammars);
async function render(pieces: readonly string[], drawEach: boolean): Promise<string> {
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  const stream = createMarkdownStream(root, highlighter);
  for (const piece of pieces) {
    stream.append(piece);
    if (drawEach) stream.draw();
  }
  stream.finish();
  await highlighter.settled();
  return root.innerHTML;
}
Object.assign(globalThis, { render });
