import { readFile } from "node:fs/promises";
import { basename } from "node:path";

/** What this thread compiled before: compiling takes longer than most of the work. */
const compiled = new Map<string, Promise<WebAssembly.Module>>();

/**
 * A WebAssembly file of a package, named as an import would name it, compiled once. Run from source it lies in its
 * package; the build copies it beside the bundle.
 */
export function compileWasm(specifier: string): Promise<WebAssembly.Module> {
  const module = compiled.get(specifier) ?? compile(specifier);
  compiled.set(specifier, module);
  return module;
}

async function compile(specifier: string): Promise<WebAssembly.Module> {
  const here = import.meta.url;
  const url = here.endsWith(".ts") ? import.meta.resolve(specifier) : new URL(fileName(specifier), here);
  return WebAssembly.compile(await readFile(new URL(url)));
}

/** Some packages export their files without the ending. */
function fileName(specifier: string): string {
  return `${basename(specifier, ".wasm")}.wasm`;
}

/** How a codec made by Emscripten is started: with its WebAssembly, and without a word about damaged files. */
export async function emscriptenOptions(specifier: string) {
  const module = await compileWasm(specifier);
  return {
    instantiateWasm(imports: WebAssembly.Imports, ready: (instance: WebAssembly.Instance) => unknown) {
      const instance = new WebAssembly.Instance(module, imports);
      ready(instance);
      return instance.exports;
    },
    print() {},
    printErr() {},
  };
}
