// A process of its own for globals.test.ts: loads one bundle and tells what that changed.
const { basename, dirname } = require("node:path");
const Module = require("node:module");

/** Own names and symbols of globalThis with their values; fetch's own dispatcher is set by its first use. */
function readGlobals() {
  const values = new Map();
  for (const key of Reflect.ownKeys(globalThis)) {
    const { value, get } = Object.getOwnPropertyDescriptor(globalThis, key);
    values.set(key, get ?? value);
  }
  for (const name of ["fetch", "Headers", "Request", "Response", "FormData", "WebSocket"]) {
    values.set(`value of ${name}`, globalThis[name]);
  }
  return values;
}

/** A class, and function, whose every member is such a one again: what modules name of the editor while they are loaded. */
function member() {
  const get = (target, key) => (key in target ? target[key] : member());
  // A bundle wraps the module in an object that inherits what it does not copy.
  return new Proxy(() => {}, { get, getPrototypeOf: () => member(), apply: () => member() });
}

async function main() {
  const [path] = process.argv.slice(2);
  // Stands in for the editor while the module is loaded; nothing of it is called before activate().
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? member() : load(name, ...rest));
  await fetch("data:,");
  const before = readGlobals();
  require(path);
  const after = readGlobals();
  const keys = new Set([...before.keys(), ...after.keys()]);
  const changed = [...keys].filter((key) => !Object.is(before.get(key), after.get(key))).map(String);
  const loaded = Object.keys(require.cache).filter((file) => dirname(file) === dirname(path));
  process.stdout.write(JSON.stringify({ changed, loaded: loaded.map((file) => basename(file)) }));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
