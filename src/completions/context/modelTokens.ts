/**
 * Marks of models' templates: ends of a text, turns of a conversation, parts of a file that is filled in. The families:
 * GPT, Qwen, Llama, StarCoder, Code Llama, DeepSeek, Gemma, Mistral, T5.
 */
const token = new RegExp(
  [
    String.raw`<\|[A-Za-z][\w▁ .-]{0,40}\|>`,
    String.raw`<｜[^｜<>\n]{2,40}｜>`,
    "▁?<(?:PRE|SUF|MID|EOT)>",
    String.raw`<(?:fim[_-](?:prefix|suffix|middle|pad)|file_sep|repo_name|gh_stars|empty_output|commit_(?:before|msg|after)|jupyter_\w{3,12}|issue_\w{3,12})>`,
    String.raw`<(?:(?:start|end)_of_(?:turn|text|utterance)|bos|eos|extra_id_\d+|0x0A)>`,
    String.raw`<(?:filename|reponame)>(?=[\w/])`,
    String.raw`\[\/?INST\]|<<\/?SYS>>|\[(?:PREFIX|SUFFIX|MIDDLE|TOOL_CALLS)\]`,
    String.raw`<\/?cursor ?\/?>`,
    String.raw`<\/?(?:before|after)>`,
    String.raw`^\s*<\/?s>|<\/s>\s*$`,
  ].join("|"),
  "iu",
);

/** An end token that the limit of the answer has cut. */
const cutToken =
  /(?:<[|｜](?:end|im_|eo[ts]|fim|file|start|return)[\w▁]*[|｜]?|<\/s|<fim_[a-z]*|<end_of[a-z_]*|\[\/INST?)$/i;

/** A mark in front of a part that repeats the prompt, and the mark after which the answer begins. */
const prompts: readonly (readonly [open: RegExp, close: RegExp])[] = [
  [/^\[INST\]/i, /\[\/INST\]/gi],
  [/^<<SYS>>/i, /<<\/SYS>>/gi],
  [/^(?:▁?<PRE>|<\|?fim[_-]prefix\|?>|\[PREFIX\])/i, /▁?<MID>|<\|?fim[_-]middle\|?>|\[MIDDLE\]/gi],
  [/^(?:\[SUFFIX\]|▁?<SUF>|<\|?fim[_-]suffix\|?>)/i, /▁?<MID>|<\|?fim[_-]middle\|?>|\[(?:PREFIX|MIDDLE)\]/gi],
  [/^<｜fim▁begin｜>/i, /<｜fim▁end｜>/gi],
];

/** Who speaks, after the token that begins a turn. */
const role =
  /^(?:<\|(?:im_start|start_header_id|channel|start)\|>|<start_of_turn>)\s*(?:assistant|model|final)?/i;

/**
 * The answer without tokens in front of it, up to the first token after it: what follows that is no answer. Tokens stay in
 * quotes, and in a file that has such tokens itself.
 */
export function withoutTokens(answer: string, file: string): string {
  const said = withoutReasoning(answer, file);
  const found = token.exec(said);
  if (found && hasSuch(file, found[0])) return said;
  const start = withoutFirst(said);
  const end = token.exec(start);
  const text = start.slice(0, end?.index);
  if (end && (/["'`]$/.test(text) || isMarkup(end[0], text + file))) return start;
  if (end) return text.trimEnd();
  return hasSuch(file, "<|end|>") ? start : start.replace(cutToken, "");
}

/** True for the end of `<s>`, which is an element of HTML, too. */
function isMarkup(mark: string, text: string): boolean {
  return /^<\/s>/i.test(mark.trim()) && /<s[ >]/i.test(text);
}

/** True if the file has a token of the family of `mark`. */
function hasSuch(file: string, mark: string): boolean {
  const sign = mark.trim().slice(0, 2);
  for (let at = file.indexOf(sign); at >= 0; at = file.indexOf(sign, at + 2)) {
    const found = token.exec(file.slice(at, at + 60));
    if (found?.index === 0) return true;
  }
  return false;
}

/** Tokens of a template in a row, at most. */
const mostTokens = 8;

function withoutFirst(answer: string): string {
  let text = answer;
  let isTurn = false;
  for (let count = 0; count < mostTokens; count++) {
    const trimmed = text.trimStart();
    const found = token.exec(trimmed);
    if (!found || found.index > 0) break;
    const speaker = role.exec(trimmed)?.[0];
    isTurn ||= speaker !== undefined;
    text = speaker === undefined ? afterPrompt(trimmed, found[0].length) : trimmed.slice(speaker.length);
  }
  // The line ends after who speaks belong to the template.
  return isTurn ? text.replace(/^\s*\n/, "") : text;
}

function afterPrompt(text: string, length: number): string {
  for (const [open, close] of prompts) {
    const last = open.test(text) ? [...text.matchAll(close)].at(-1) : undefined;
    if (last) return text.slice(last.index + last[0].length);
  }
  return text.slice(length);
}

const thinkEnd = /<\/think(?:ing)?>\s*/gi;

/** Reasoning that a server leaves in the text. One that was cut has no answer after it. */
function withoutReasoning(answer: string, file: string): string {
  if (/<\/?think/i.test(file)) return answer;
  const end = [...answer.matchAll(thinkEnd)].at(-1);
  if (end) return answer.slice(end.index + end[0].length);
  return /^\s*<think(?:ing)?>/i.test(answer) ? "" : answer;
}
