export interface Signature {
  readonly name: string;
  /** Types, with their names if they have any. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** For libraries that read Solidity. */
  readonly declaration: string;
}

/** The parts of `balanceOf(address)(uint256)` or of a declaration in Solidity. */
export function readSignature(signature: string): Signature {
  const text = signature.trim().replace(/^function\s+/, "");
  const open = text.indexOf("(");
  const close = closingOf(text, open);
  const [name, taken, tail] = [
    text.slice(0, open).trim(),
    text.slice(open, close + 1),
    text.slice(close + 1),
  ];
  const from = tail.indexOf("(");
  const given = from < 0 ? "" : tail.slice(from, closingOf(tail, from) + 1);
  return {
    name,
    inputs: typesIn(taken),
    outputs: typesIn(given),
    declaration: `function ${name}${taken} view${given === "" ? "" : ` returns ${given}`}`,
  };
}

/** The types between the outer brackets. */
function typesIn(list: string): readonly string[] {
  const types: string[] = [];
  let [depth, from] = [0, 1];
  for (let at = 1; at < list.length; at++) {
    const isEnd = depth === 0 && (list[at] === "," || at === list.length - 1);
    if (isEnd) types.push(list.slice(from, at).trim());
    if (isEnd) from = at + 1;
    if (list[at] === "(") depth++;
    if (list[at] === ")") depth--;
  }
  return types.filter((type) => type !== "");
}

function closingOf(text: string, open: number): number {
  let depth = 0;
  for (let at = Math.max(0, open); at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")" && --depth === 0) return at;
  }
  return text.length;
}

/** The type of the items of a list such as `string[2] names`; undefined for another type. */
export function itemOf(type: string): string | undefined {
  return /^(.*)\[\d*\][^\])]*$/s.exec(type)?.[1];
}

/** The members of a tuple, with their names if they have any; empty for another type. */
export function membersOf(type: string): readonly string[] {
  const tuple = /^(?:tuple)?\s*(\(.*)$/s.exec(type)?.[1];
  return tuple === undefined ? [] : typesIn(tuple.slice(0, closingOf(tuple, 0) + 1));
}
