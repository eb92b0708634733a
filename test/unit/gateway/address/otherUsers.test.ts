// What another user or another program can do at the address: nothing that gets a token or a request.
import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { addressPath, readAddressFile } from "../../../../src/gateway/address/addressFile.ts";
import { joinAddress } from "../../../../src/gateway/address/window/joinAddress.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { openAddress } from "./addressKit.ts";

const secret = "s".repeat(43);

/** A folder with a file as a process writes it, and a server at its socket. */
async function pretend(t: TestContext, serve: (server: Server) => void) {
  const folder = temporaryFolder();
  const [path, socket] = [addressPath(folder, 1), join(folder, "socket")];
  writeFileSync(path, JSON.stringify({ socket, secret }), { mode: 0o600 });
  const server = createServer().listen(socket);
  t.after(() => server.close());
  await once(server, "listening");
  serve(server);
  return { path, socket };
}

test("a file that others can read or change, or whose socket is in their folder, counts as none", async (t) => {
  const { path, socket } = await pretend(t, () => {});
  assert.deepEqual(await readAddressFile(path), { socket, secret });
  for (const mode of [0o640, 0o604, 0o602, 0o620]) {
    chmodSync(path, mode);
    assert.equal(await readAddressFile(path), undefined, mode.toString(8));
  }
  chmodSync(path, 0o600);
  for (const mode of [0o750, 0o701, 0o777]) {
    chmodSync(dirname(socket), mode);
    assert.equal(await readAddressFile(path), undefined, mode.toString(8));
  }
  chmodSync(dirname(socket), 0o700);
  assert.equal(await readAddressFile(path, (process.getuid?.() ?? 0) + 1), undefined, "of another user");
});

test("a file that is too large, none, or no such file counts as none", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "file");
  for (const text of ["", "{}", "[]", `{"socket":"/x","secret":"short"}`, `{"a":"${"x".repeat(20_000)}"}`]) {
    writeFileSync(path, text, { mode: 0o600 });
    assert.equal(await readAddressFile(path), undefined, text.slice(0, 40));
  }
  assert.equal(await readAddressFile(folder), undefined);
  symlinkSync("/nowhere", join(folder, "link"));
  assert.equal(await readAddressFile(join(folder, "link")), undefined);
});

test("a program at the socket that can't show the secret is not joined, and learns nothing that it could show", async (t) => {
  const said: string[] = [];
  const lines = [
    `{"t":"welcome","version":"9.0.0","proof":"${"0".repeat(64)}"}\n`,
    `{"t":"welcome"}\n`,
    `{"t":"challenge","nonce":"n"}\n{"t":"welcome","version":"9.0.0","proof":"${"0".repeat(64)}"}\n`,
    `no message\n`,
    "x".repeat(20_000),
  ];
  for (const line of lines) {
    const { path } = await pretend(t, (server) =>
      server.on("connection", (socket) => {
        socket.on("error", () => {});
        socket.on("data", (piece) => said.push(String(piece)));
        socket.write(line);
      }),
    );
    assert.equal(
      await joinAddress(path, { version: "1.0.0", socket: "/window" }),
      undefined,
      line.slice(0, 40),
    );
  }
  assert.ok(!said.join("").includes(secret));
  // The proof of a window is not one of a process.
  const { path } = await pretend(t, (server) =>
    server.on("connection", (socket) => {
      socket.on("error", () => {});
      socket.write(`{"t":"challenge","nonce":"n"}\n`);
      socket.once("data", (piece) => {
        const { proof } = JSON.parse(String(piece)) as { readonly proof: string };
        socket.write(`${JSON.stringify({ t: "welcome", version: "9.0.0", proof })}\n`);
      });
    }),
  );
  assert.equal(await joinAddress(path, { version: "1.0.0", socket: "/window" }), undefined);
});

test("a program that reaches the socket without the secret is no window, and gets no call", async (t) => {
  const address = await openAddress(t);
  const window = await address.open({ name: "window" });
  const { socket: path } = JSON.parse(readFileSync(addressPath(address.folder, address.port), "utf8")) as {
    readonly socket: string;
  };
  for (const line of [
    `{"t":"hello","nonce":"n","proof":"${"0".repeat(64)}","version":"9.0.0","socket":"/spoofed"}\n`,
    `{"t":"hello"}\n`,
    `{"t":"end"}\n`,
    `{"t":"replace"}\n`,
  ]) {
    const socket = connect(path).on("error", () => {});
    const closed = once(socket, "close");
    socket.resume();
    socket.write(line);
    await closed;
  }
  assert.equal((await address.call()).status, 401);
  assert.deepEqual(address.asked, ["window"]);
  assert.equal(window.state, "here");
});
