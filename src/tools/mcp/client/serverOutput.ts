import { stripVTControlCharacters } from "node:util";
import * as vscode from "vscode";
import { redact } from "../../../api/errors/redact.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";

/** Takes what one start of a server prints. */
export interface ServerPrinter {
  /** A piece of its standard error. */
  write(text: string): void;
  /** A line of ours. */
  line(text: string): void;
}

/** Characters that are shown of one start, and of one line. */
const maxShown = 1_000_000;
const maxLine = 2_000;
/** Of the start of a line. */
const maxHeld = 8_000;

/** What the servers of this window print to their standard error, in an output channel, line by line, without their secrets. */
export class ServerOutput implements vscode.Disposable {
  #channel: vscode.OutputChannel | undefined;

  printer(server: string, secrets: readonly string[]): ServerPrinter {
    const start = `[${visibleLine(server)}] `;
    let left = maxShown;
    /** The start of a line; of one that was cut, nothing more is kept. */
    let begun = "";
    let isCut = false;
    const line = (text: string) => {
      if (left <= 0) return;
      // A line is cut after its secrets are left out, so that no part of one is shown.
      const shown = visibleLine(stripVTControlCharacters(redact(text, secrets))).slice(0, maxLine);
      left -= shown.length + 1;
      this.#open().appendLine(`${start}${left > 0 ? shown : "It prints too much: the rest is left out."}`);
    };
    return {
      line(text) {
        if (begun !== "") line(begun);
        begun = "";
        line(text);
      },
      write(text) {
        const lines = `${begun}${text}`.split(/\r?\n/);
        begun = lines.pop() ?? "";
        for (const one of lines) {
          if (!isCut) line(one);
          isCut = false;
        }
        if (!isCut && begun.length > maxHeld) {
          line(begun);
          isCut = true;
        }
        // The rest of a line that was cut is left out: it can begin within a secret.
        if (isCut || left <= 0) begun = "";
      },
    };
  }

  show(): void {
    this.#open().show(true);
  }

  dispose(): void {
    this.#channel?.dispose();
  }

  #open(): vscode.OutputChannel {
    this.#channel ??= vscode.window.createOutputChannel("Inference MCP Servers");
    return this.#channel;
  }
}
