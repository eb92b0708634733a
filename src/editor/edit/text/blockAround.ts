/** The lines of a document, without line ends. */
export interface Lines {
  readonly line: (index: number) => string;
  readonly lineCount: number;
}

export interface EnclosingBlock {
  readonly startLine: number;
  readonly endLine: number;
}

const closer = /^([)\]}]|end\b|fi\b|done\b|esac\b|<\/)/;
/** Continues a statement, such as `else`. */
const continuation = /^(else|elif|elsif|elseif|except|catch|finally|rescue|ensure)\b/;
const control =
  /^(if|else|elif|elsif|elseif|unless|for|foreach|while|until|loop|switch|match|case|when|default|do|begin|try|catch|except|finally|rescue|ensure|with|using|lock|return|await|yield|go|defer|select)\b/;
const modifiers =
  /^((export|default|async|public|private|protected|internal|static|abstract|final|sealed|override|virtual|declare|inline|open|data|partial|unsafe|extern|pub(\([^)]*\))?)\s+)*/;
const keyword =
  /^(def|class|function|func|fun|fn|sub|interface|struct|impl|trait|enum|union|module|namespace|object|record|protocol|extension|proc|procedure|macro_rules!|type)\b/;
/** `const f = (a) => {`, `f = function (`, `f: function` */
const assigned = /[=:]\s*(async\s*)?(function\b|\([^()]*\)\s*(:[^=]+)?=>|\w+\s*=>|lambda\b)/;
/** `name(a) {`, `int name(`: not a statement, and not a call with a function argument. */
const method = /^[\w$#~<>[\]*&:,?\s]+\(([^;]*\)\s*[^;()]*\{?|[^;)]*)$/;

/**
 * The function, class or other block that contains or starts at a line, by indentation only: the smallest declaration,
 * else the smallest block. Undefined for a line outside of all blocks.
 */
export function blockAround(at: number, lines: Lines): EnclosingBlock | undefined {
  const { line, lineCount } = lines;
  const isBlank = (index: number) => line(index).trim() === "";
  let current = at;
  // A blank line belongs to the line after it, if that is in the same block.
  while (current < lineCount - 1 && isBlank(current)) current += 1;
  if (isBlank(current)) return undefined;
  const found: EnclosingBlock[] = [];
  let depth = depthOf(line(current)) + 1;
  for (let index = current; index >= 0 && depth > 0; index--) {
    if (isBlank(index) || depthOf(line(index)) >= depth) continue;
    depth = depthOf(line(index));
    const startLine = headOf(index, lines);
    const endLine = endOf(startLine, lines);
    if (endLine > startLine && endLine >= at) found.push({ startLine, endLine });
  }
  return found.find(({ startLine }) => isDeclaration(startLine, lines)) ?? found[0];
}

/** The first line of the statement at the level of a line: `} else {` and `) {` belong to the line that they close. */
function headOf(at: number, { line }: Lines): number {
  const depth = depthOf(line(at));
  let head = at;
  while (head > 0 && isFurtherPart(line(head).trim())) {
    let above = head - 1;
    while (above > 0 && (line(above).trim() === "" || depthOf(line(above)) > depth)) above -= 1;
    if (depthOf(line(above)) !== depth || line(above).trim() === "") break;
    head = above;
  }
  return head;
}

function endOf(start: number, { line, lineCount }: Lines): number {
  const depth = depthOf(line(start));
  let end = start;
  for (let index = start + 1; index < lineCount; index++) {
    const text = line(index).trim();
    if (text === "") continue;
    const current = depthOf(line(index));
    if (current < depth || (current === depth && !isFurtherPart(text))) break;
    end = index;
  }
  return end;
}

function isFurtherPart(text: string): boolean {
  return text === "{" || closer.test(text) || continuation.test(text);
}

function isDeclaration(at: number, { line }: Lines): boolean {
  const text = line(at).trim().replace(modifiers, "");
  if (control.test(text)) return false;
  return keyword.test(text) || assigned.test(text) || (!text.includes("=>") && method.test(text));
}

/** Indentation in columns; a tab advances to the next multiple of four. */
function depthOf(text: string): number {
  let depth = 0;
  for (const character of text) {
    if (character === " ") depth += 1;
    else if (character === "\t") depth += 4 - (depth % 4);
    else break;
  }
  return depth;
}
