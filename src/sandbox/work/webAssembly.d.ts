// The part of the WebAssembly interface that the codecs use. Node's types do not include it.
declare namespace WebAssembly {
  type Imports = Readonly<Record<string, object>>;
  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: Imports): Promise<Instance>;
}
