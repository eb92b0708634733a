import type { EvmTools } from "./applyFunction.ts";
import { nestingOfConstant } from "./constants.ts";
import { declarationNamed } from "./declarations.ts";
import { type Effort, type EncodeContext, maxEncodedSize } from "./encodeValue.ts";
import { memo } from "./memo.ts";
import { type Definition, definitionBefore, type Project } from "./project.ts";

/** What is known beside the text of a notebook. */
export interface Known {
  readonly evm: EvmTools | undefined;
  readonly head: bigint | undefined;
  /** What a request came to; undefined where there is no result. */
  resultOf(definition: Definition): { readonly result: unknown } | undefined;
}

/** What encodingProblems goes by at a statement of a cell. */
export type Contexts = (cell: number, statement: number) => EncodeContext;

/** The contexts of a notebook's statements. They share what constants were encoded to. */
export function createContexts(
  project: Project,
  { evm, head, resultOf }: Known,
  effort: Effort = { left: maxEncodedSize, mayLeaveOut: false },
): Contexts {
  const encoded: EncodeContext["encoded"] = new Map();
  const contextAt: Contexts = (cell, statement) => ({
    evm,
    head,
    encoded,
    effort,
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

/** What looking at a notebook before it runs may take: a second or so, whatever stands in it. */
const staticEffort = 2_000_000;

const staticContexts = memo((project: Project) => {
  const known = new Map<EvmTools | undefined, Contexts>();
  return (evm: EvmTools | undefined): Contexts => {
    const effort = { left: staticEffort, mayLeaveOut: true };
    const made =
      known.get(evm) ?? createContexts(project, { evm, head: undefined, resultOf: () => undefined }, effort);
    known.set(evm, made);
    return made;
  };
});

/** What is known without asking anybody: constants. */
export function staticContext(
  project: Project,
  cell: number,
  statement: number,
  evm: EvmTools | undefined,
): EncodeContext {
  return staticContexts(project)(evm)(cell, statement);
}
