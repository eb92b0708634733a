import { readFile } from "node:fs/promises";
import { basename } from "node:path";

/** Compiled modules of this thread. Compiling takes longer than most jobs. */
const compiled = new Map<string, Promise<WebAssembly.Module>>();

/**
 * A WebAssembly file of a package, by its import specifier, compiled once. The sources read it from the package.
 * The build copies it next to the bundle.
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

/** Some packages export their files without the extension. */
function fileName(specifier: string): string {
  return `${basename(specifier, ".wasm")}.wasm`;
}

/** Options for Emscripten modules: the compiled WebAssembly, and no output about damaged files. */
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
