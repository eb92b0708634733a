// The part of the WebAssembly interface that the sandbox's codecs are run through; node's types leave it out.
declare namespace WebAssembly {
  type Imports = Readonly<Record<string, object>>;
  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: Imports): Promise<Instance>;
}
