import * as vscode from "vscode";
import { readSettings } from "../../platform/settings.ts";
import { commands, languages, notebooks } from "../../shared/names/ids.ts";
import { shortAddress } from "../../shared/rpc/hex.ts";
import { networks } from "../../shared/rpc/networks.ts";
import { readContractService } from "../contract/fetchContract.ts";
import type { ContractAbi, ContractOrigin } from "../editor/environment/contractAbi.ts";
import type { Projects } from "../editor/explorer/projects.ts";
import { contractAt } from "../language/assist/outline.ts";
import { networksOfCell } from "../language/project.ts";

/** The arguments of the command of an action. */
interface AbiTarget {
  readonly cell: string;
  readonly network: string;
  readonly address: string;
  readonly from: ContractOrigin;
}

/** Offers the ABI and the source of the contract whose address is at the cursor. */
export function registerAbiActions(projects: Projects): vscode.Disposable {
  const selector = { notebookType: notebooks.rpc, language: languages.rpc };
  return vscode.languages.registerCodeActionsProvider(selector, {
    provideCodeActions(document, range) {
      const found = projects.at(document);
      if (!found) return [];
      const { project, index } = found;
      const address = contractAt(project, index, document.offsetAt(range.start));
      const one = project.cells[index];
      const [network = ""] = one ? networksOfCell(project, one) : [];
      if (address === undefined) return [];
      const short = shortAddress(address);
      // A quick fix shows the light bulb, which would be at each address of a notebook with ABIs.
      const { QuickFix, Refactor } = vscode.CodeActionKind;
      const kind = project.abiFiles?.size ? Refactor : QuickFix;
      return titlesOf(network).map(([from, title]) => {
        const action = new vscode.CodeAction(title(short), kind);
        const target: AbiTarget = { cell: document.uri.toString(), network, address, from };
        action.command = { command: commands.rpcGetAbi, title: action.title, arguments: [target] };
        return action;
      });
    },
  });
}

type Offered = readonly [ContractOrigin, (short: string) => string];

/** Services know the chains with a public id. */
function titlesOf(network: string): readonly Offered[] {
  const file: Offered = ["file", (short) => `Use an ABI File for ${short}…`];
  if (networks.find(({ slug }) => slug === network)?.chainId === undefined) return [file];
  const service = readContractService(readSettings().rpc.abiSource);
  if (!service || "problem" in service) return [file, ["service", (short) => `Get ABI of ${short}…`]];
  const { host } = service;
  return [
    ["service", (short) => `Get ABI of ${short} from ${host}`],
    ["source", (short) => `Open Source of ${short} from ${host}`],
    file,
  ];
}

/** Runs the command for the target of an action. */
export async function getAbi(contractAbi: ContractAbi, target: unknown): Promise<void> {
  if (typeof target !== "object" || target === null) return;
  const { cell: uri, ...request } = target as AbiTarget;
  const cells = vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  const cell = cells.find(({ document }) => document.uri.toString() === uri);
  if (cell) await contractAbi.get({ ...request, cell });
}
