import type { EvmTools } from "../encode/applyFunction.ts";
import { nestingOfConstant } from "../encode/constants.ts";
import type { EncodeContext } from "../encode/encodeValue.ts";
import { memo } from "../memo.ts";
import { type Definition, definitionBefore, type Project, variableOfCell } from "../project.ts";
import { declarationNamed } from "./declarations.ts";
import { type Effort, maxEncodedSize } from "./effort.ts";

/** Facts that are not in the text of a notebook. */
export interface Known {
  readonly evm: EvmTools | undefined;
  readonly head: bigint | undefined;
  /** The addresses of ENS names. */
  readonly names?: EncodeContext["names"];
  /** The result of a request; undefined without one. */
  resultOf(definition: Definition): { readonly result: unknown } | undefined;
  /** True if secrets of the environment have no value, because the request is shown. */
  readonly withoutSecrets?: boolean;
}

/** Returns the encoding context of a statement. */
export type Contexts = (cell: number, statement: number) => EncodeContext;

/** The contexts of a notebook's statements. They share a cache of encoded constants. */
export function createContexts(
  project: Project,
  { evm, head, names, resultOf, withoutSecrets = false }: Known,
  effort: Effort = { left: maxEncodedSize, mayLeaveOut: false },
): Contexts {
  const encoded: EncodeContext["encoded"] = new Map();
  const contextAt: Contexts = (cell, statement) => ({
    evm,
    head,
    names,
    encoded,
    effort,
    variable(name) {
      const found = variableOfCell(project, cell, name);
      return withoutSecrets && found && "variable" in found && found.variable.isSecret ? undefined : found;
    },
    declaration: (name, kind, inputs) => declarationNamed(project, name, kind, inputs),
    lookUp(name) {
      const found = definitionBefore(project, name, cell, statement);
      if (!found) return undefined;
      const { constant } = found;
      if (!constant) return resultOf(found);
      const within = contextAt(found.cell, found.statement);
      return { constant, within, nesting: nestingOfConstant(project, constant) };
    },
  });
  return contextAt;
}

/** Limits the static checks of a notebook to about a second. */
const staticEffort = 2_000_000;

const staticContexts = memo((project: Project) => {
  const cache = new Map<EvmTools | undefined, Contexts>();
  return (evm: EvmTools | undefined): Contexts => {
    const effort = { left: staticEffort, mayLeaveOut: true };
    const made =
      cache.get(evm) ?? createContexts(project, { evm, head: undefined, resultOf: () => undefined }, effort);
    cache.set(evm, made);
    return made;
  };
});

/** The context without any results: only constants have values. */
export function staticContext(
  project: Project,
  cell: number,
  statement: number,
  evm: EvmTools | undefined,
): EncodeContext {
  return staticContexts(project)(evm)(cell, statement);
}
