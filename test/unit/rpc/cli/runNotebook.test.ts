// Which cells of a notebook run at the same time, and what holds for them.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openNotebook } from "../../../../src/rpc/cli/openNotebook.ts";
import { type CellResult, runNotebook } from "../../../../src/rpc/cli/runNotebook.ts";
import { createEvmLoader } from "../../../../src/rpc/evm/evmLoader.ts";
import type { RpcAnswer, RpcItem, Sender } from "../../../../src/rpc/run/senders.ts";

interface Sending {
  readonly network: string;
  /** The methods of the request. */
  readonly text: string;
  answer(result: unknown): void;
  fail(error: Error): void;
}

/** A node that answers when it is told to. */
class HeldNode implements Sender {
  readonly open: Sending[] = [];
  readonly sent: string[] = [];
  #onSend = () => {};
  #hasEnded = false;

  send: Sender["send"] = (network, body, { signal }) => {
    const items = [body].flat() as readonly RpcItem[];
    const reply = Promise.withResolvers<Awaited<ReturnType<Sender["send"]>>>();
    const text = items.map(({ method }) => method).join(" ");
    const close = () => this.open.splice(this.open.indexOf(sending), 1);
    const sending: Sending = {
      network,
      text,
      answer(result) {
        close();
        const answer = items.map((item): RpcAnswer => ({ jsonrpc: "2.0", id: item.id ?? null, result }));
        const [first] = answer;
        // The service states no price.
        const facts = {
          ms: 1,
          usd: 0,
          replayed: false,
          resends: 0,
          ...(network === "local" ? { credits: 0 } : {}),
        };
        reply.resolve({ ...facts, answer: Array.isArray(body) ? answer : (first ?? assert.fail()) });
      },
      fail(error) {
        close();
        reply.reject(error);
      },
    };
    signal.addEventListener("abort", () => sending.fail(new Error("stopped")), { once: true });
    this.sent.push(text);
    this.open.push(sending);
    this.#onSend();
    return reply.promise;
  };

  /** The run has ended. */
  end(): void {
    this.#hasEnded = true;
    this.#onSend();
  }

  /** Resolves when this many requests have been sent in all. */
  async sends(count: number): Promise<void> {
    while (this.sent.length < count) {
      assert.ok(!this.#hasEnded, `only ${this.sent.join(", ")} were sent`);
      const next = Promise.withResolvers<void>();
      this.#onSend = next.resolve;
      await next.promise;
    }
  }

  /** Answers the open request with these methods. */
  answer(text: string, result: unknown = "0x1"): void {
    const found = this.open.find((sending) => sending.text === text);
    (found ?? assert.fail(`${text} is not in flight: ${this.sent.join(", ")}`)).answer(result);
  }

  get inFlight(): readonly string[] {
    return this.open.map(({ text }) => text);
  }
}

/** Runs cells; the node answers. */
async function start(cells: readonly string[], network = "local", limit?: number) {
  const text = cells.map((cell) => `\`\`\`rpc\n${cell}\n\`\`\`\n`).join("\n");
  const notebook = await openNotebook({
    file: "checks.rpc.md",
    text,
    network,
    readAbi: () => assert.fail("no cell has an ABI"),
  });
  const node = new HeldNode();
  const stop = new AbortController();
  const reported: CellResult[] = [];
  const deps = {
    sender: node,
    evm: createEvmLoader(),
    service: "The service",
    isPlayMoney: true,
    mayWrite: true,
    budget: { limit, spent: 0, isReached: false },
  };
  const ended = runNotebook(deps, notebook, stop.signal, (result) => void reported.push(result)).finally(() =>
    node.end(),
  );
  return { node, stop, reported, ended, budget: deps.budget };
}

/** Lets everything run that needs no answer. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("cells at the same time", () => {
  test("two cells that only read from the local node are in flight together, never three, and are reported in order", async () => {
    const { node, reported, ended } = await start(["eth_chainId", "eth_gasPrice", "eth_blockNumber"]);
    await node.sends(2);
    await idle();
    assert.deepEqual(node.inFlight, ["eth_chainId", "eth_gasPrice"]);
    node.answer("eth_gasPrice", "0x2");
    await idle();
    // The first is not answered: nothing is reported, and the third waits.
    assert.deepEqual([reported.length, node.sent.length], [0, 2]);
    node.answer("eth_chainId", "0x3");
    await node.sends(3);
    node.answer("eth_blockNumber");
    const { cells } = await ended;
    assert.deepEqual(cells, reported);
    assert.deepEqual(
      reported.map(({ cell, status, output }) => [cell, status, output?.lines[0]?.method]),
      [
        [1, "passed", "eth_chainId"],
        [2, "passed", "eth_gasPrice"],
        [3, "passed", "eth_blockNumber"],
      ],
    );
  });

  test("a cell that uses a result of another waits for it, in its lines, constants and expectations", async () => {
    for (const user of [
      "eth_getBlockByNumber $n false",
      "m = [$n]\neth_getBlockByNumber $m[0] false",
      "eth_getBlockByNumber 0x1 false\nexpect $n == 0x7",
    ]) {
      const { node, reported, ended } = await start(["n = eth_blockNumber", user]);
      await node.sends(1);
      await idle();
      assert.deepEqual(node.inFlight, ["eth_blockNumber"], user);
      node.answer("eth_blockNumber", "0x7");
      await node.sends(2);
      node.answer("eth_getBlockByNumber", {});
      await ended;
      assert.deepEqual(
        reported.map(({ status }) => status),
        ["passed", "passed"],
        user,
      );
    }
  });

  test("a cell whose expectation uses more results than a plan lists waits for the cell before it", async () => {
    const names = Array.from({ length: 101 }, (_, at) => `a${at}`);
    const many = names.map((name) => `${name} = eth_gasPrice`);
    const all = [...names, "z"].map((name) => `$${name}`).join(", ");
    const { node, reported, ended } = await start([
      "z = eth_chainId",
      [...many, `expect [${all}] contains $z`].join("\n"),
    ]);
    await node.sends(1);
    await idle();
    assert.deepEqual(node.inFlight, ["eth_chainId"]);
    node.answer("eth_chainId", "0x7");
    await node.sends(2);
    node.open[0]?.answer("0x1");
    await node.sends(3);
    node.open[0]?.answer("0x1");
    await ended;
    assert.deepEqual(
      reported.map(({ status, reason }) => [status, reason]),
      [
        ["passed", undefined],
        ["passed", undefined],
      ],
    );
  });

  test("a cell that may change the node, waits or polls is alone in flight", async () => {
    const alone = [
      "eth_sendTransaction { to: 0x0000000000000000000000000000000000000001 }",
      "evm_mine",
      "eth_newBlockFilter",
      `{"jsonrpc": "2.0", "id": 1, "method": "anvil_setBalance", "params": []}`,
      `wait 0x${"1".repeat(64)}`,
      "@every 1s\n@times 1\neth_gasPrice",
    ];
    for (const cell of alone) {
      const { node, ended } = await start(["eth_chainId", cell, "eth_syncing"]);
      for (let count = 1; count <= 3; count++) {
        await node.sends(count);
        await idle();
        assert.equal(node.inFlight.length, 1, cell);
        assert.equal(node.sent.length, count, cell);
        node.open[0]?.answer("0x1");
      }
      await ended;
    }
  });

  test("the service gets the next cell after the answer, and the budget is that of one cell after the other", async () => {
    const cells = ["eth_chainId", "eth_gasPrice", "eth_syncing"];
    const { node, reported, ended, budget } = await start(cells, "ethereum-mainnet", 40);
    for (let count = 1; count <= 2; count++) {
      await node.sends(count);
      await idle();
      assert.equal(node.inFlight.length, 1);
      assert.equal(node.sent.length, count);
      node.open[0]?.answer("0x1");
    }
    await ended;
    assert.deepEqual(
      reported.map(({ status }) => status),
      ["passed", "passed", "skipped"],
    );
    assert.deepEqual([budget.isReached, budget.spent], [true, 40]);
  });

  test("a cell beside one of the service waits, on either side", async () => {
    const cells = [
      "@network local\neth_chainId",
      "@network ethereum-mainnet\neth_gasPrice",
      "@network local\neth_syncing",
    ];
    const text = cells.map((cell) => `\`\`\`rpc\n${cell}\n\`\`\`\n`).join("\n");
    const notebook = await openNotebook({
      file: "checks.rpc.md",
      text,
      network: undefined,
      readAbi: () => assert.fail("no cell has an ABI"),
    });
    const node = new HeldNode();
    const deps = {
      sender: node,
      evm: createEvmLoader(),
      service: "The service",
      isPlayMoney: true,
      mayWrite: false,
      budget: { limit: undefined, spent: 0, isReached: false },
    };
    const ended = runNotebook(deps, notebook, new AbortController().signal, () => {});
    for (const [at, network] of ["local", "ethereum-mainnet", "local"].entries()) {
      await node.sends(at + 1);
      await idle();
      assert.deepEqual(
        node.open.map((sending) => sending.network),
        [network],
      );
      node.open[0]?.answer("0x1");
    }
    await ended;
  });

  test("a failed request fails its own cell alone", async () => {
    const { node, reported, ended } = await start(["eth_chainId", "eth_gasPrice", "eth_syncing"]);
    await node.sends(2);
    node.open[0]?.fail(new Error("the node ended"));
    await node.sends(3);
    node.answer("eth_gasPrice");
    node.answer("eth_syncing");
    await ended;
    assert.deepEqual(
      reported.map(({ status }) => status),
      ["failed", "passed", "passed"],
    );
  });

  test("a stop ends both, and nothing else is sent", async () => {
    const { node, stop, reported, ended } = await start(["eth_chainId", "eth_gasPrice", "eth_syncing"]);
    await node.sends(2);
    stop.abort();
    await ended;
    assert.deepEqual(
      reported.map(({ status }) => status),
      ["failed", "failed", "skipped"],
    );
    assert.deepEqual(node.sent, ["eth_chainId", "eth_gasPrice"]);
  });
});
