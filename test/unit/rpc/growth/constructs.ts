/** A text of `n` parts of one kind, and its readers. */
export interface Construct {
  readonly name: string;
  readonly as: "cell" | "document" | "command" | "answer" | "variables";
  readonly text: (n: number) => string;
}

const each = (n: number, part: (at: number) => string) =>
  Array.from({ length: n }, (_, at) => part(at)).join("");
const address = "0x00000000000000000000000000000000000000aa";

const cells: Readonly<Record<string, (n: number) => string>> = {
  "slashes before a bracket": (n) => `${"/".repeat(n)}\n[`,
  "comments that start and end": (n) => `${"//x /**/ ".repeat(n)}\n{`,
  "comments that never end": (n) => "/*".repeat(n),
  "comments of comments": (n) => `${"/* // */ ".repeat(n)}[]`,
  "space before a bracket": (n) => `${" \n".repeat(n)}{`,
  "names that double": (n) =>
    `x0 = [1]\n${each(n, (at) => `x${at + 1} = [$x${at}, $x${at}]\n`)}eth_call $x${n}`,
  "one name that doubles": (n) => `x = [1]\n${"x = [$x, $x]\n".repeat(n)}eth_call $x`,
  "texts that double": (n) => `x = str("a")\n${"x = str($x)\n".repeat(n)}web3_sha3 $x`,
  "texts that double in brackets": (n) =>
    `web3_sha3 ${"str(".repeat(Math.min(n, 99))}"${"a".repeat(n)}"${")".repeat(Math.min(n, 99))}`,
  "a chain of names": (n) => `x0 = 1\n${each(n, (at) => `x${at + 1} = $x${at}\n`)}eth_call $x${n}`,
  "a chain of names from its end": (n) => `eth_call $x0\n${each(n, (at) => `x${at} = $x${at + 1}\n`)}`,
  "names in a circle": (n) => `${each(n, (at) => `x${at} = [$x${(at + 1) % n}]\n`)}eth_call $x0`,
  // More than the maximum length of a name, at each size.
  "many uses of a long list": (n) =>
    `x = [${`"${"a".repeat(100)}", `.repeat(n)}]\n${"eth_getLogs { address: $x }\n".repeat(n * 4)}`,
  "many uses of many results": (n) =>
    `${each(n, (at) => `r${at} = eth_chainId\n`)}x = ["${"a".repeat(10_000)}", ${each(n, (at) => `$r${at} `)}]\n${"eth_call $x\n".repeat(n)}`,
  "a chain of requests": (n) =>
    `r0 = eth_chainId\n${each(n, (at) => `r${at + 1} = eth_getBlockByNumber $r${at} false\n`)}`,
  "references to one name": (n) => `x = 1\neth_call [${"$x ".repeat(n)}]`,
  "references to no name": (n) => each(n, (at) => `eth_call $y${at}\n`),
  "definitions of one name": (n) => "x = 1\neth_call $x\n".repeat(n),
  "steps of a reference": (n) => `r = eth_chainId\neth_call $r${".a[0]".repeat(n)}`,
  "uses of a variable": (n) => `x_y [${"{{A}} ".repeat(n)}]\n${"eth_call {{SECRET}} 1\n".repeat(n)}`,
  "uses of no variable": (n) => each(n, (at) => `x_y {{B${at}}} ether "{{A}}"\n`),
  "open variables": (n) => `x_y ${"{{ A ".repeat(n)}\n${"{{".repeat(n)}`,
  "spaces of a variable": (n) => `x_y {{${" ".repeat(n)}A${" ".repeat(n)}`,
  "variables in JSON": (n) => `[${'"{{A} {{", '.repeat(n)}1]`,
  "prototype names": (n) =>
    each(
      n,
      (at) =>
        `${["constructor", "__proto__", "toString", "hasOwnProperty"][at % 4]} = { __proto__: $constructor }\n`,
    ),
  "prototype methods": (n) => "constructor\n__proto__ 1\n@toString 1\ntoString_x\n".repeat(n),
  "members of a call": (n) => `eth_call { ${each(n, (at) => `m${at}: 1 `)}}`,
  "members of a filter": (n) => `eth_getLogs { ${each(n, (at) => `m${at}: 1 `)}}`,
  "open brackets": (n) => `eth_call ${"[".repeat(n)}`,
  "open brackets on lines": (n) => `eth_call ${"[\n  ".repeat(n)}`,
  "open functions": (n) => `eth_call ${"abi(".repeat(n)}`,
  "brackets of all kinds": (n) => "eth_call {[()]}([{}])\n".repeat(n),
  "blank lines in a bracket": (n) => `eth_call [${"\n".repeat(n)}1 ]`,
  "comments in a bracket": (n) => `eth_call [${"\n  # x".repeat(n)}\n 1 ]`,
  "open signatures": (n) => `call ${address} ${"f(".repeat(n)}`,
  "signatures that end too early": (n) => `call ${address} f(${"a(b) ".repeat(n)}`,
  "modifiers of a signature": (n) => `call ${address} f()${" view".repeat(n)} returns`,
  "long signatures": (n) => `call ${address} f(${"uint256,".repeat(n * 5)}uint256)`,
  "many signatures": (n) => `call ${address} f(${"uint256,".repeat(9)}uint256)\n`.repeat(n),
  "deep signatures": (n) => `call ${address} "f(${"(".repeat(n)}uint256${")".repeat(n)})"`,
  "calls of one declared name": (n) =>
    `${each(n, (at) => `@abi "function f(uint${8 * (1 + (at % 30))})"\n`)}${`call ${address} f 1\n`.repeat(n)}`,
  "declarations of as many names": (n) =>
    each(n, (at) => `@abi "function f${at}(uint256)"\ncall ${address} f${at} 1\n`),
  "open strings": (n) => 'eth_call "\n'.repeat(n),
  "quotes and backslashes": (n) => `eth_call ${'\\"'.repeat(n)}`,
  "escapes in a string": (n) => `eth_call "${'\\"'.repeat(n)}"`,
  "backslashes at the end": (n) => `eth_call "${"\\".repeat(n)}"`,
  "marks of comments": (n) => `eth_call 1 ${"# ".repeat(n)}\n  2`,
  "a long word": (n) => "w".repeat(n * 4),
  "a long number": (n) => `eth_call ${"9".repeat(n * 4)} ${"9".repeat(n * 4)} ether`,
  "a long text of digits": (n) =>
    `eth_getStorageAt ${address} "${"9".repeat(n * 4)}" latest\nweb3_sha3 pad("${"9".repeat(n)}")`,
  "a long hex": (n) => `web3_sha3 0x${"a".repeat(n * 4 + 1)}`,
  "networks of a line": (n) => `@network ${each(n, (at) => `zksync-${at} `)}\n${"zks_x\n".repeat(n)}`,
  "unlisted methods": (n) => each(n, (at) => `eth_blokNumber${at}\n`),
  directives: (n) => '@network base-mainnet\n@every 5s\n@view json\n@abi "x.json"\n'.repeat(n),
  "lines of all kinds": (n) => `me = ${address}\n${each(n, (at) => `b${at} = eth_getBalance $me latest\n`)}`,
  "relative blocks": (n) => "eth_getBlockByNumber -5 false\n".repeat(n),
  equals: (n) => `x =${" = ".repeat(n)}`,
  "strange letters": (n) => "\u{1f600}\u202e\u00a0\ufeff".repeat(n),
  "carriage returns": (n) => "eth_chainId\r\r\n".repeat(n),
  "a batch": (n) => `[${each(n, (at) => `{"jsonrpc":"2.0","id":${at},"method":"eth_chainId"},`)}]`,
  "a batch of one id": (n) => `[${'{"id":1,"method":"x"},\n'.repeat(n)}]`,
  "a batch without ids": (n) => `[${'{"method":"eth_blokNumber","params":{}},\n'.repeat(n)}]`,
  "members of a literal filter": (n) =>
    `{"method":"eth_getLogs","params":[{${each(n, (at) => `"m${at}":1,`)}}]}`,
  "strange members of an item": (n) => `{${each(n, (at) => `"m${at}": 1 ,`)}}`,
  "members of one name": (n) => `{${'"__proto__": {}, "constructor": 1,'.repeat(n)}}`,
  "open JSON": (n) => '[{"params":'.repeat(n),
  "long numbers in JSON": (n) =>
    `{"method":"x","params":[${"9".repeat(n)},${`${"9".repeat(30)},`.repeat(n)}1e999]}`,
  "text that is no JSON": (n) => `[${"x, }".repeat(n)}`,
  "comments in JSON": (n) => `[${"/* x */ // y\n".repeat(n)}]`,
};

const documents: Readonly<Record<string, (n: number) => string>> = {
  "cells that use each other": (n) =>
    each(
      n,
      (at) => `\`\`\`rpc name=c${at}\nx${at} = [$x${at - 1}]\neth_call $x${at} $c${at - 1}\n\`\`\`\n\n`,
    ),
  "cells of names that double": (n) => each(n, () => `\`\`\`rpc\nx = [$x, $x]\neth_call $x\n\`\`\`\n`),
  "cells of prose": (n) => "text\n\n<!-- cell -->\n".repeat(n),
  "open fences": (n) => "```rpc\n".repeat(n),
  "fences, each shorter": (n) => each(60, (at) => `${"`".repeat(63 - at)}rpc\n`).repeat(Math.ceil(n / 60)),
  "fences, each longer": (n) => each(60, (at) => `${"`".repeat(3 + at)}rpc\nx\n`).repeat(Math.ceil(n / 60)),
  "fences of both kinds": (n) => "```rpc\n~~~\nx\n".repeat(n),
  "blank lines": (n) =>
    `${"\r\n".repeat(n)}x\r\n\`\`\`rpc\r\neth_chainId${"\r\n".repeat(n)}\`\`\`${"\r\n".repeat(n)}x`,
  "carriage returns and spaces": (n) => `x${"\r \r\n".repeat(n)}y`,
  "a long opening line": (n) => `\`\`\`rpc ${"a".repeat(n)}\neth_chainId\n\`\`\`\n`,
  "attributes of an opening line": (n) => `\`\`\`rpc ${each(n, (at) => `a${at}=b `)}\neth_chainId\n\`\`\`\n`,
  "spaces of an opening line": (n) => `\`\`\`rpc name=${" ".repeat(n)}x\neth_chainId\n\`\`\`\n`,
  "networks of an opening line": (n) =>
    `\`\`\`rpc network=${each(n, (at) => `n${at},`)}\n${"eth_chainId\n".repeat(n)}\`\`\`\n`,
  "open front matter": (n) => `---\n${"network: x # \n".repeat(n)}`,
  "dashes of front matter": (n) => `---\n${"--- x\n".repeat(n)}---\n`,
  "spaces of front matter": (n) => `---${" ".repeat(n)}\nnetwork:${" ".repeat(n)}a\n---\n`,
};

const answers: Readonly<Record<string, (n: number) => string>> = {
  "deep lists of an answer": (n) => `${"[".repeat(n)}"${"a".repeat(n * 100)}"${"]".repeat(n)}`,
  "deep objects of an answer": (n) => `${'{"a":'.repeat(n)}"${"a".repeat(n * 100)}"${"}".repeat(n)}`,
  "members of an answer": (n) => `{${each(n, (at) => `"m${at}":"${"a".repeat(200)}",`)}"__proto__":{}}`,
  "logs of an answer": (n) => `[${`{"topics":["0x${"ab".repeat(32)}"],"data":"0x"},`.repeat(n)}{}]`,
};

const commands: Readonly<Record<string, (n: number) => string>> = {
  "quotes of a command": (n) => `curl ${"'\"'\"\\".repeat(n)}`,
  "options of a command": (n) => `cast call 0xaa 'f()' ${"--x y -r z ".repeat(n)}`,
  "substitutions of a command": (n) => `cast rpc ${"$(".repeat(n)} ${"`".repeat(n)}`,
  "lines of a command": (n) => `curl \\\n${"  -H x \\\n".repeat(n)}`,
  "blank lines of a command": (n) => `cast rpc x${"\n \n".repeat(n)}`,
  "brackets of a body": (n) => `curl -d '${"[".repeat(n)}'`,
  "parts of a file": (n) => "### x\nPOST https://x\nA: b\n\n[]\n".repeat(n),
  "headers of a file": (n) => `POST https://x\n${"A: b \n".repeat(n)}\n \n{}`,
  "comments of a file": (n) => `${"# x\n// y\n \n".repeat(n)}{}`,
};

const variables: Readonly<Record<string, (n: number) => string>> = {
  "lines of variables": (n) => `${"# note\n".repeat(n)}A=1\n`,
  "blank lines of variables": (n) => `A${"\n".repeat(n)}=1${"\n \n".repeat(n)}export\n`,
  "open quotes": (n) => "A='x\n".repeat(n),
  "escaped quotes": (n) => `A="${'\\"'.repeat(n)}`,
  "quotes that close too early": (n) => "A='\\' x' y\n".repeat(n),
  "words of exports": (n) => "export ".repeat(n),
  "a long value": (n) => `A=${"a".repeat(n * 100)}\nB="${"b\n".repeat(n)}"`,
  "one name of many": (n) => `${"A=1\nconstructor=2\n".repeat(n)}`,
  "a phrase": (n) => `A=${"words ".repeat(n)}`,
  secrets: (n) => `SECRET=${"ab".repeat(n)}\nKEY="${"\\n".repeat(n)}"`,
};

function named(
  as: Construct["as"],
  texts: Readonly<Record<string, (n: number) => string>>,
): readonly Construct[] {
  return Object.entries(texts).map(([name, text]) => ({ name, as, text }));
}

export const constructs: readonly Construct[] = [
  ...named("cell", cells),
  ...named("document", documents),
  ...named("command", commands),
  ...named("answer", answers),
  ...named("variables", variables),
];
