// The part of the WebAssembly interface that the sandbox's codecs are run through; node's types leave it out.
declare namespace WebAssembly {
  interface Instance {
    readonly exports: Readonly<Record<string, unknown>>;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: Readonly<Record<string, object>>): Promise<Instance>;
}
