// The script of the page that shows the output of an RPC cell, without the editor's notebook around it.
import { render } from "preact";
import { readOutput } from "../../../../src/rpc/renderer/data/readOutput.ts";
import { OutputView } from "../../../../src/rpc/renderer/OutputView.tsx";
import { parseExact } from "../../../../src/shared/text/json/exactJson.ts";

const page = {
  /** Draws an output in place of the former one. */
  draw(json: string) {
    const output = readOutput(parseExact(json));
    render(null, document.body);
    if (output) render(<OutputView output={output} stored={new Map()} post={undefined} />, document.body);
  },
};
Object.assign(window, { outputPage: page });
