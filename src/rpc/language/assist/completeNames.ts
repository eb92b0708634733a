import { declaredIn, declaredNames } from "../check/declarations.ts";
import { variablesIn } from "../environment/environments.ts";
import { definitionsIn, environmentOfCell, environmentsOf, type Project } from "../project.ts";

/** A completion of a name of the notebook. */
interface NameItem {
  readonly label: string;
  readonly kind: "name" | "function";
  readonly detail: string;
  readonly insert?: string;
  readonly rank: number;
}

/** The variables of the cell's environment, with the braces that close them if they are missing. */
export function variableItems(project: Project, index: number, after: string): readonly NameItem[] {
  const variables = variablesIn(environmentsOf(project), environmentOfCell(project, project.cells[index]));
  const closing = /^[ \t]*\}\}/.test(after.slice(0, 100)) ? "" : after.startsWith("}") ? "}" : "}}";
  return [...variables.values()].map(({ name, value, isSecret }) => ({
    label: name,
    kind: "name",
    detail: isSecret ? "secret" : value.slice(0, 80),
    insert: `${name}${closing}`,
    rank: 0,
  }));
}

/** Names that are defined before the statement. */
export function nameItems(project: Project, index: number, statement: number): readonly NameItem[] {
  const seen = new Map<string, NameItem>();
  for (let at = 0; at <= index; at++) {
    for (const { text, constant, statement: own } of definitionsIn(project, at)) {
      if (at === index && own >= statement) continue;
      const detail = constant ? "constant" : "result";
      seen.set(text, { label: `$${text}`, kind: "name", detail, rank: 1 });
    }
  }
  return [...seen.values()];
}

const commonFunctions = [
  "balanceOf(address)(uint256)",
  "totalSupply()(uint256)",
  "decimals()(uint8)",
  "symbol()(string)",
  "name()(string)",
  "allowance(address,address)(uint256)",
  "ownerOf(uint256)(address)",
  "owner()(address)",
  "getReserves()(uint112,uint112,uint32)",
];
const commonEvents = [
  "Transfer(address,address,uint256)",
  "Approval(address,address,uint256)",
  "TransferSingle(address,address,address,uint256,uint256)",
  "Deposit(address,uint256)",
  "Withdrawal(address,uint256)",
];

/** Declarations of the notebook and its files, then common ones. */
export function signatureItems(project: Project, kind: "function" | "event"): readonly NameItem[] {
  const declared = [...declaredNames(kind, declaredIn(project))];
  const common = kind === "function" ? commonFunctions : commonEvents;
  return [
    ...declared.map(([label, detail]) => ({ label, kind: "function" as const, detail, rank: 0 })),
    ...common.map((label, at) => ({ label, kind: "function" as const, detail: kind, rank: 0.5 + at / 100 })),
  ];
}
