// No cell contains the key of a pasted command, wherever it is in the command.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readRequest } from "../../../../src/rpc/exchange/request/readRequest.ts";
import { readPasted, readRequests } from "../../../../src/rpc/exchange/request/readRequests.ts";
import { shellWords } from "../../../../src/rpc/exchange/shellWords.ts";
import { toPasted, toPastedCells } from "../../../../src/rpc/exchange/toPasted.ts";
import { randomCases } from "../../../runner/cases.ts";

/** Every option of `cast call`, `cast rpc` and the like that has a value, as `cast --help` lists them. */
const castOptions = `
  private-key private-keys mnemonic mnemonics mnemonic-path mnemonic-passphrase mnemonic-passphrases
  mnemonic-derivation-path mnemonic-index mnemonic-indexes password passwords password-file password-files keystore
  keystores account accounts jwt-secret rpc-url rpc-headers rpc-timeout etherscan-api-key api-key chain from block value
  gas-limit gas-price priority-gas-price nonce blob-gas-price path auth access-list labels evm-version data
  override-balance override-nonce override-code override-state override-state-diff block.time block.number erc20
  confirmations threads color interactives header token sender passphrase somebody-invented-this`
  .trim()
  .split(/\s+/)
  .map((name) => `--${name}`);
const castShort = ["-r", "-c", "-f", "-b", "-B", "-H", "-u", "-p", "-j", "-x", "-K"];
const castFlags = [
  "--json",
  "--trace",
  "--ledger",
  "--quiet",
  "-vvv",
  "--flashbots",
  "-i",
  "--no-proxy",
  "-k",
];

const address = "0x00000000000000000000000000000000000000aa";
const hash = `0x${"ab".repeat(32)}`;
/** The request, and the words of the command that must be kept. */
const asks: readonly (readonly [words: readonly string[], kept: readonly string[]])[] = [
  [["block-number"], ["eth_blockNumber"]],
  [["chain-id"], ["eth_chainId"]],
  [
    ["balance", address],
    ["eth_getBalance", address],
  ],
  [
    ["nonce", address],
    ["eth_getTransactionCount", address],
  ],
  [
    ["tx", hash],
    ["eth_getTransactionByHash", hash],
  ],
  [
    ["call", address, "balanceOf(address)(uint256)", address],
    ["call", "balanceOf(address)(uint256)", address],
  ],
  [
    ["rpc", "eth_getBalance", address, "latest"],
    ["eth_getBalance", address, "latest"],
  ],
];

const secret = fc.oneof(
  fc.constantFrom(
    `0x${"5e".repeat(32)}`,
    "sk-live-5ecret5ecret",
    "test test test 5ecret junk",
    "pa'ss\"5ecret",
    "$5ecret`x`",
    "--5ecret",
    "-----BEGIN-5ecret",
  ),
  fc
    .string({ minLength: 12, maxLength: 40 })
    .filter((text) => !text.includes("\0"))
    .map((text) => `5ecret${text}`),
);
/** In a URL a key can be in the path, the query or the user name. */
const inUrl = fc
  .stringMatching(/^[A-Za-z0-9_-]{16,40}$/)
  .chain((key) =>
    fc
      .constantFrom(
        `https://eth.example/v2/${key}`,
        `https://eth.example/?apikey=${key}`,
        `https://user:${key}@eth.example/`,
        `https://eth.example/api/v1/crypto/rpc/${key.toLowerCase().replaceAll("_", "-")}`,
      )
      .map((url) => ({ key, url })),
  );

function quoted(word: string): string {
  return `'${word.replace(/'/g, `'\\''`)}'`;
}

/** An option and its value, in one of the forms that a shell and cast accept. */
function planted(option: string, value: string, form: number): string {
  if (!option.startsWith("--"))
    return [`${option} ${quoted(value)}`, `${option}${quoted(value)}`][form % 2] ?? "";
  return [`${option} ${quoted(value)}`, `${option}=${quoted(value)}`][form % 2] ?? "";
}

const castOption = fc.tuple(fc.constantFrom(...castOptions, ...castShort), secret, fc.nat(1)).filter(
  // After an unknown option, a value that looks like an option can't be recognised.
  ([option, value, form]) => form === 1 || !value.startsWith("-") || !/invented|^-[xKcj]$/.test(option),
);

describe("no cell contains the key of a pasted command", () => {
  test("of cast: options with values in any form and order, before and after the command", () => {
    const numRuns = randomCases(20_000);
    let read = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...asks),
        fc.array(castOption, { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom(...castFlags), { maxLength: 2 }),
        fc.infiniteStream(fc.nat()),
        secret,
        fc.constantFrom("", "env", "pipe", "and", "comment", "redirect"),
        ([words, stored], options, flags, order, other, around) => {
          const parts = words.map(quoted);
          for (const one of [...options.map((option) => planted(...option)), ...flags])
            parts.splice((order.next().value ?? 0) % (parts.length + 1), 0, one);
          const command = `cast ${parts.join(" ")}`;
          const oneLine = other.replace(/[\r\n]/g, " ");
          const whole = {
            "": command,
            env: `PRIVATE_KEY=${quoted(other)} ${command}`,
            pipe: `${command} | curl -u ${quoted(other)}`,
            and: `${command} && export KEY=${quoted(other)}`,
            comment: `${command} # ${oneLine}`,
            redirect: `${command} 2> ${quoted(other)}`,
          }[around];
          const found = readRequest(whole);
          if (!found) return;
          read++;
          const cell = toPasted(found);
          for (const [, value] of options) assert.ok(!holds(cell, value), `${whole}\n→ ${cell}`);
          assert.ok(!holds(cell, other), `${whole}\n→ ${cell}`);
          assert.ok(!cell.includes("5ecret"), cell);
          for (const word of stored) assert.ok(cell.includes(word), `${whole}\n→ ${cell}`);
        },
      ),
      { numRuns },
    );
    assert.ok(read > numRuns * 0.95, `only ${read} were read`);
  });

  test("of curl: headers, users, cookies, addresses, and members that no call has", () => {
    const body = { jsonrpc: "2.0", id: 1, method: "eth_getBalance", params: [address, "latest"] };
    const options =
      "-H --header -u --user -b --cookie --oauth2-bearer -e -A -x --proxy --cert --key --pass -K --invented";
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...options.split(" ")), secret, fc.nat(1)), { maxLength: 4 }),
        inUrl,
        secret,
        fc.constantFrom("-d", "--data-raw", "--json", "--data=", "-sSd", "-d "),
        fc.boolean(),
        (all, { key, url }, other, data, isBatch) => {
          const one = { ...body, apiKey: other, auth: { token: other } };
          const text = `/* ${other.replaceAll("*/", "")} */`;
          const sent = quoted(`${JSON.stringify(isBatch ? [one] : one)}`.replace(/^([[{])/, `$1${text}`));
          const words = all.map((option) => planted(...option));
          const command = `curl ${words.join(" ")} ${data}${data.endsWith("=") ? "" : " "}${sent} ${quoted(url)}`;
          const found = readRequest(command);
          assert.ok(found, command);
          const cell = toPasted(found);
          for (const value of [key, key.toLowerCase(), other, "5ecret", ...all.map(([, one]) => one)])
            assert.ok(!holds(cell, value), `${command}\n→ ${cell}`);
          assert.ok(cell.includes("eth_getBalance") && cell.includes(address), cell);
        },
      ),
      { numRuns: randomCases(5_000) },
    );
  });

  test("of a .http file: variables, headers, and addresses", () => {
    fc.assert(
      fc.property(secret, inUrl, fc.constantFrom("\n", "\r\n"), (written, { key, url }, eol) => {
        const value = written.replace(/[\r\n]/g, " ");
        const text = [
          `@token = ${value}`,
          "### One",
          `# ${value}`,
          `POST ${url} HTTP/1.1`,
          `Authorization: Bearer ${value}`,
          `Cookie: session=${value}`,
          "",
          JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [], key: value }),
          "",
          "### Two",
          `cast chain-id --private-key ${quoted(value)}`,
        ].join(eol);
        const cells = readRequests(text);
        assert.equal(cells.length, 2, text);
        for (const cell of cells) {
          const shown = JSON.stringify([cell, toPasted(cell)]);
          for (const one of [key, value, "5ecret"]) assert.ok(!shown.includes(one), `${text}\n→ ${shown}`);
        }
      }),
      { numRuns: randomCases(3_000) },
    );
  });

  test("a value of an option can't become another line", () => {
    for (const value of ["1\nsend 0xaa", "1 send", "$x", "latest\r\n@allow x"]) {
      const cell = readRequest(`cast call ${address} 'f()' --block ${quoted(value)}`)?.text;
      assert.equal(cell, `call ${address} f()\n# Left out: --block`);
    }
    const call = readRequest(`cast call ${address} 'f()' --from ${hash}`);
    assert.equal(call?.text, `call ${address} f()\n# Left out: --from`);
    assert.equal(readRequest(`cast balance -e ${address}`)?.text, `eth_getBalance ${address} latest`);
    assert.equal(readRequest("cast rpc --raw eth_x '[1,{\"a\":true}]'")?.text, "eth_x 1 { a: true }");
    for (const verb of ["send", "wallet"]) {
      const { from, text = "" } = readRequest(`cast ${verb} ${address} --private-key ${hash}`) ?? {};
      assert.equal(from, "withheld");
      assert.match(text, new RegExp(`^# Not converted: cast ${verb}\\.`));
      assert.match(text, /# Left out: its parameters, --private-key\.$/);
    }
  });
});

test("text that is not a request is withheld, with everything in it", () => {
  const commands = (word: string) => [
    `cast send ${address} "transfer(address,uint256)" ${address} 1 --private-key ${word}`,
    `cast wallet sign --private-key=${word} hello`,
    `cast wallet address ${word}`,
    `cast wallet import deployer --mnemonic ${word}`,
    `cast mktx ${address} --keystore ${word} --password ${word}`,
    `cast ${word}`,
    `/root/.foundry/bin/cast send ${address} --private-key ${word}`,
    `sudo cast send ${address} --private-key ${word}`,
    `npx cast send ${address} --private-key ${word}`,
    `PRIVATE_KEY=${word} cast send ${address}`,
    `forge create Token --private-key ${word}`,
    `forge script Deploy.s.sol \\\n  --rpc-url https://eth.example/v2/${word} \\\n  --private-key ${word}`,
    `anvil --mnemonic ${word}`,
    `export PRIVATE_KEY=${word}`,
    `ETHERSCAN_API_KEY=${word}`,
    `curl https://eth.example/v2/x -H ${word}`,
    `curl -H ${word} -d @body.json https://eth.example/`,
    `wget --header ${word} https://eth.example/`,
    `cast block-number && cast send ${address} --private-key ${word}`,
    `cast block-number | tee ${word}`,
  ];
  fc.assert(
    fc.property(secret, fc.constantFrom("", "$ ", "  "), fc.nat(), (value, prompt, which) => {
      const all = commands(quoted(value));
      const command = `${prompt}${all[which % all.length]}`;
      for (const text of [command, `eth_chainId\n${command}\neth_gasPrice`]) {
        const parts = readPasted(text);
        assert.ok(parts, text);
        const cells = JSON.stringify(toPastedCells(parts));
        assert.ok(!holds(cells, value) && !cells.includes("5ecret"), `${text}\n→ ${cells}`);
        assert.match(cells, /Not converted|eth_blockNumber/);
        if (text !== command) assert.match(cells, /eth_chainId.*eth_gasPrice/);
      }
    }),
    { numRuns: randomCases(3_000) },
  );
  const request = `POST https://eth.example/login HTTP/1.1\nAuthorization: Bearer 5ecret\n\n{"password":"5ecret"}\n`;
  assert.doesNotMatch(JSON.stringify(readPasted(request)), /5ecret/);
});

/** True if a cell contains the secret, plain or in quotes. A short one may be there for another reason. */
function holds(cell: string, value: string): boolean {
  return value.length > 8 && (cell.includes(value) || cell.includes(JSON.stringify(value).slice(1, -1)));
}

test("the words of a command equal those of a shell", () => {
  const piece = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom("a", "-d", "x=1", " ", " ", "'b c'", '"d\\"e"', "\\ ", "\\\n", "\t"),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom("'", "#", "é", "\u00a0", "a#b", '""', "; no", "| no", "&& no", " # no"),
    },
  );
  // One shell for all commands: starting one for each takes most of the time.
  const show = `exec 9>&1; program() { for one in "$@"; do printf '%s\\0' "$one" >&9; done; }; no() { :; }
for command in "$@"; do (eval "$command") 2>&-; printf '\\1%s\\1' "$?"; done`;
  const commands = fc.sample(fc.array(piece, { maxLength: 12 }), 400).map((all) => `program ${all.join("")}`);
  const said = execFileSync("/bin/sh", ["-c", show, "sh", ...commands], { encoding: "utf8" }).split("\u0001");
  let checked = 0;
  for (const [at, command] of commands.entries()) {
    const [words = "", status] = said.slice(2 * at);
    const read = shellWords(command);
    // The shell refuses it, so there is no reference.
    if (status !== "0") continue;
    checked++;
    assert.deepEqual(read.slice(1), words.split("\0").slice(0, -1), command);
  }
  assert.ok(checked > 200, `only ${checked} were commands`);
});
