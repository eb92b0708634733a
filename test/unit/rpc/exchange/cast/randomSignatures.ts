// Random signatures of functions with values of their types, each as a line and as cast writes it.
type Random = (below: number) => number;

/** A value, as the encoders of libraries take it, in a line, and as an argument of cast. */
interface Written {
  readonly value: unknown;
  readonly line: string;
  readonly cast: string;
  /** In a list or a tuple of cast. */
  readonly inside: string;
}

interface RandomType {
  readonly text: string;
  readonly make: () => Written;
}

interface RandomCall {
  readonly signature: string;
  readonly args: readonly Written[];
}

/** A function with one to four inputs, and their values. */
export function randomFunction(random: Random): RandomCall {
  const types = Array.from({ length: 1 + random(4) }, () => randomType(random, 3));
  return {
    signature: `f(${types.map(({ text }) => text).join(",")})`,
    args: types.map(({ make }) => make()),
  };
}

/** Texts that readers could take for something else. cast has no escapes, so none has both kinds of quotes. */
const texts = [
  ...[
    "007",
    "1.50",
    "1_000",
    "0x12",
    "0xZZ",
    "0x",
    "1e3",
    "-5",
    "true",
    "false",
    "null",
    "_",
    "day",
    "ether",
  ],
  ...[
    "a,b",
    "it's",
    'say "hi"',
    '"q"',
    "[x]",
    "(y)",
    "a b",
    "a  b",
    " lead",
    "trail ",
    "",
    "{a: 1}",
    "'",
    "]",
  ],
  ...[
    "$x",
    "#no",
    "a//b",
    "@me",
    "a:b",
    "from:1",
    "=",
    "a=b",
    "\\",
    "\\n",
    "c:\\d",
    "tab\there",
    "--flag",
    "-x",
  ],
  ...["call", "abi", "null(", "1 ether", "vitalik.eth", "日本", "é", "😀", "\u00a0", "a\u2028b"],
];

function randomType(random: Random, depth: number): RandomType {
  const kind = depth === 0 ? 4 : random(10);
  if (kind < 2) return listType(random, depth);
  if (kind < 4) return tupleType(random, depth);
  switch (random(8)) {
    case 0:
      return integerType(random);
    case 1:
      return plainType("address", () => `0x${digits(random, 20)}`);
    case 2:
      return plainType("bool", () => random(2) === 0);
    case 3: {
      const size = 1 + random(32);
      return plainType(`bytes${size}`, () => `0x${digits(random, size)}`);
    }
    case 4:
      return plainType("bytes", () => `0x${digits(random, random(40))}`);
    default:
      return { text: "string", make: () => writtenText(random, texts[random(texts.length)] ?? "") };
  }
}

function listType(random: Random, depth: number): RandomType {
  const item = randomType(random, depth - 1);
  const size = random(3) === 0 ? 1 + random(3) : undefined;
  return {
    text: `${item.text}[${size ?? ""}]`,
    make: () => joined(random, "[", "]", Array.from({ length: size ?? random(4) }, item.make)),
  };
}

function tupleType(random: Random, depth: number): RandomType {
  const members = Array.from({ length: 1 + random(3) }, () => randomType(random, depth - 1));
  return {
    text: `(${members.map(({ text }) => text).join(",")})`,
    make: () =>
      joined(
        random,
        "(",
        ")",
        members.map(({ make }) => make()),
      ),
  };
}

function joined(random: Random, open: string, close: string, all: readonly Written[]): Written {
  const cast = `${open}${all.map(({ inside }) => inside).join(random(2) === 0 ? "," : ", ")}${close}`;
  return {
    value: all.map(({ value }) => value),
    line: `[${all.map(({ line }) => line).join(", ")}]`,
    cast,
    inside: cast,
  };
}

function integerType(random: Random): RandomType {
  const bits = 8 * (1 + random(32));
  const isSigned = random(2) === 0;
  const max = 2n ** BigInt(isSigned ? bits - 1 : bits) - 1n;
  const values = [max, isSigned ? -max - 1n : 0n, 1n, BigInt(`0x${digits(random, bits / 8)}`) % (max + 1n)];
  return {
    text: `${isSigned ? "" : "u"}int${bits}`,
    make() {
      const value = values[random(values.length)] ?? 0n;
      const text = value >= 0n && random(4) === 0 ? `0x${value.toString(16)}` : String(value);
      return { value, line: text, cast: text, inside: text };
    },
  };
}

function plainType(text: string, make: () => string | boolean): RandomType {
  return {
    text,
    make() {
      const value = make();
      return { value, line: String(value), cast: String(value), inside: String(value) };
    },
  };
}

function writtenText(random: Random, value: string): Written {
  const isWord = /^(?:[A-Za-z]\w*|-?\d[\d._]*|0x\w+|1e3)$/.test(value) && !/^(?:day|ether)$/.test(value);
  const quote = value.includes('"') ? "'" : '"';
  const quoted = `${quote}${value}${quote}`;
  const needsQuotes = value === "" || /^["']|^\s|\s$/.test(value);
  return {
    value,
    line: isWord && random(2) === 0 ? value : JSON.stringify(value),
    cast: /^["']|\s$/.test(value) ? quoted : value,
    inside: needsQuotes || /[,()[\]]/.test(value) || random(2) === 0 ? quoted : value,
  };
}

function digits(random: Random, bytes: number): string {
  return Array.from({ length: bytes * 2 }, () => random(16).toString(16)).join("");
}
