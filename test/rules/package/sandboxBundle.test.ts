// The shipped sandbox works with dist/ alone, without our node_modules.
import assert from "node:assert/strict";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import type { Metafile } from "esbuild";
import { imageDimensionsFromData } from "image-dimensions";
import type { Sandbox, startSandbox } from "../../../src/sandbox/main.ts";
import { vsixPath } from "../../tools/package.ts";
import { root } from "../../tools/paths.ts";

const dist = join(root, "dist");
assert.ok(existsSync(join(dist, "sandbox.js")), "dist/ is not built: npm run build");
const { outputs } = JSON.parse(readFileSync(join(dist, "meta.json"), "utf8")) as Metafile;

test("heavy libraries are not loaded before their first use", () => {
  const heavy =
    /node_modules\/(unpdf|@jsquash|@evan\/opus|wasm-media-encoders|mdast-util-to-markdown|@mozilla\/readability|@mixmark-io|numfmt|jschardet)\//;
  const holding = Object.entries(outputs)
    .filter(([, { inputs }]) => Object.keys(inputs).some((path) => heavy.test(path)))
    .map(([name]) => name);
  assert.ok(holding.length > 3);
  assert.deepEqual(
    holding.filter((name) => !name.startsWith("dist/work/")),
    [],
  );
  const worker = outputs["dist/work/worker.mjs"];
  assert.ok(worker && worker.bytes < 5_000, "the worker loads each on demand");
});

test("the packed extension is at most 6 MB", () => {
  assert.ok(existsSync(vsixPath()), "there is no packed extension: npm run package");
  const { size } = statSync(vsixPath());
  assert.ok(size <= 6_000_000, `${size} bytes`);
});

let folder = "";
let sandbox: Sandbox;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "sandbox-bundle-"));
  cpSync(dist, folder, { recursive: true });
  const bundle = createRequire(join(folder, "sandbox.js"))("./sandbox.js") as {
    startSandbox: typeof startSandbox;
  };
  sandbox = await bundle.startSandbox({}, { nodes: false, speechProgram: null, limits: "none" });
});
after(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

async function post(path: string, body: object | FormData): Promise<Buffer> {
  const isForm = body instanceof FormData;
  const response = await fetch(sandbox.baseUrl + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${sandbox.apiKey}`,
      ...(isForm ? {} : { "content-type": "application/json" }),
    },
    body: isForm ? body : JSON.stringify(body),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.status, 200, bytes.toString());
  return bytes;
}

async function draw(format: string): Promise<Buffer> {
  const body = { prompt: "sea", size: "256x256", output_format: format };
  const reply = JSON.parse((await post("/images/generations", body)).toString()) as {
    data: { b64_json: string }[];
  };
  return Buffer.from(reply.data[0]?.b64_json ?? "", "base64");
}

for (const format of ["png", "jpeg", "webp"]) {
  test(`writes and reads ${format}`, async () => {
    const encoded = await draw(format);
    assert.equal(imageDimensionsFromData(encoded)?.type, format);
    const image = encoded.toString("base64");
    const edited = await post("/image/edit", { image, prompt: "warm", output_format: format });
    assert.equal(imageDimensionsFromData(edited)?.type, format);
  });
}

for (const [model, format, magic] of [
  ["speaker", "wav", /^RIFF/],
  ["narrator", "mp3", /^(ID3|\xff[\xe0-\xff])/],
  ["mimic", "opus", /^OggS/],
] as const) {
  test(`speaks ${format}`, async () => {
    const bytes = await post("/audio/speech", { input: "Ahoy.", model, response_format: format });
    assert.match(bytes.toString("latin1"), magic);
  });
}

for (const name of ["harvest.pdf", "harvest.docx", "deck.pptx", "book.xlsx"]) {
  test(`reads ${name}`, async () => {
    const form = new FormData();
    form.set("file", new File([readFileSync(join(root, "test/unit/fixtures/documents", name))], name));
    const { text } = JSON.parse((await post("/augment/text-parser", form)).toString()) as { text: string };
    assert.match(text, /\w{3}/);
  });
}

test("converts a web page to Markdown", async () => {
  // The simulated service serves its documentation as a page on loopback.
  const { startSandbox: start } = await import("../../../src/sandbox/main.ts");
  const pages = await start(
    {},
    { pages: [{ title: "Tides", text: "# Tides\n\nHigh water at **noon**.\n" }] },
  );
  try {
    const url = new URL("/docs/tides", pages.baseUrl).href;
    const { content } = JSON.parse((await post("/augment/scrape", { url })).toString()) as {
      content: string;
    };
    assert.match(content, /High water at \*\*noon\*\*/);
  } finally {
    await pages.close();
  }
});

test("answers for EVM chains and for Starknet", async () => {
  for (const [network, method] of [
    ["base-mainnet", "eth_blockNumber"],
    ["starknet-mainnet", "starknet_blockNumber"],
  ]) {
    const reply = JSON.parse(
      (await post(`/crypto/rpc/${network}`, { jsonrpc: "2.0", method, id: 1 })).toString(),
    );
    assert.ok((reply as { result?: unknown }).result !== undefined, network);
  }
});

test("runs no program from the surrounding folders", async (t) => {
  const outer = mkdtempSync(join(tmpdir(), "sandbox-around-"));
  t.after(() => rmSync(outer, { recursive: true, force: true }));
  const own = join(outer, "project", "dist");
  cpSync(dist, own, { recursive: true });
  const [system, processor] = [process.platform, process.arch === "x64" ? "amd64" : process.arch];
  const marker = join(outer, "was-run");
  for (const below of [own, join(own, ".."), outer]) {
    const bin = join(below, "node_modules", "@foundry-rs", `anvil-${system}-${processor}`, "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "anvil"), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
  }
  const { PATH } = process.env;
  t.after(() => {
    process.env.PATH = PATH;
  });
  // PATH contains no program, and its relative entries must be ignored.
  process.env.PATH = ["node_modules/.bin", "."].join(delimiter);
  const bundle = createRequire(join(own, "sandbox.js"))("./sandbox.js") as {
    startSandbox: typeof startSandbox;
  };
  const running = await bundle.startSandbox({}, { speechProgram: null, limits: "none" });
  try {
    const reply = await fetch(`${running.baseUrl}/crypto/rpc/ethereum-mainnet`, {
      method: "POST",
      headers: { authorization: `Bearer ${running.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "web3_clientVersion", params: [] }),
    });
    // The simulated chain answers.
    assert.match(await reply.text(), /"result":"sandbox/);
  } finally {
    await running.close();
  }
  assert.ok(!existsSync(marker));
});
