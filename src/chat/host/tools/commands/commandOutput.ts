import { stripVTControlCharacters } from "node:util";

/** Text of a command: without escape sequences, and cut in the middle. */
export interface CommandOutput {
  /** Gets each new piece as it arrives. */
  onText: (text: string) => void;
  add(text: string): void;
  /** A receiver of bytes; each stream has its own, because a character may be split. */
  adder(): (piece: Uint8Array) => void;
  text(): string;
}

export interface CommandEnd {
  /** A sentence such as "Exit code 0." */
  readonly how: string;
  /** The user has closed its terminal. */
  readonly isByUser?: boolean;
}

/** A command in a terminal. */
export interface TerminalCommand {
  readonly output: CommandOutput;
  /** Always resolves after a kill. */
  readonly ended: Promise<CommandEnd>;
  /** Signals it with all that it has started. */
  signal(name: NodeJS.Signals): void;
  /** After its end: its terminal may be closed, or run the next command. */
  release(): void;
}

/** Output that is kept: the beginning and the end, in characters each. A model gets a part, and a handle for the rest. */
const keptLength = 1_000_000;

/** Titles and links. Node's function leaves those with blanks. */
const [esc, bell] = ["\\u001b", "\\u0007"];
const operatingSystemCommand = new RegExp(`${esc}\\][^${bell}${esc}]*(?:${bell}|${esc}\\\\)`, "g");

/** zsh fills the terminal's line after output that does not end with a line break: a mark, spaces and returns. */
const endOfPartialLine = /[%#]?(?<! ) {20,}\r \r/g;

export function createOutput(): CommandOutput {
  let [head, tail, left] = ["", "", 0];
  const output: CommandOutput = {
    onText: () => {},
    add(text) {
      output.onText(text);
      const room = Math.max(0, keptLength - head.length);
      head += text.slice(0, room);
      tail += text.slice(room);
      if (tail.length <= keptLength) return;
      left += tail.length - keptLength;
      tail = tail.slice(-keptLength);
    },
    adder() {
      const decoder = new TextDecoder();
      return (piece) => output.add(decoder.decode(piece, { stream: true }));
    },
    // Stripped here, because an escape sequence may be split.
    text() {
      const cut = left > 0 ? `\n… ${left.toLocaleString("en")} characters were left out …\n` : "";
      const plain = stripVTControlCharacters((head + cut + tail).replace(operatingSystemCommand, ""));
      const whole = plain.replace(endOfPartialLine, "\n").replace(/(?<!\r)\r+\n/g, "\n");
      return whole.split("\n").map(lastWritten).join("\n");
    },
  };
  return output;
}

/** The last state of a line that is overwritten, such as a progress bar. */
function lastWritten(line: string): string {
  const end = line.replace(/(?<!\r)\r+$/, "");
  const last = end.slice(end.lastIndexOf("\r") + 1);
  return last.includes("\b") ? withBackspaces(last) : last;
}

/** What follows a backspace is written over what stands before it. */
function withBackspaces(line: string): string {
  const shown: string[] = [];
  let column = 0;
  for (const character of line) {
    if (character === "\b") column = Math.max(0, column - 1);
    else {
      shown[column] = character;
      column += 1;
    }
  }
  return shown.join("");
}
