import * as vscode from "vscode";
import { createHostTransport } from "../../../api/transport/host.ts";
import { changeDocument } from "../../../platform/editor/changeDocument.ts";
import { warnModally } from "../../../platform/editor/dialogs/modal.ts";
import { withProgress } from "../../../platform/editor/dialogs/progress.ts";
import type { TextDocuments } from "../../../platform/editor/textDocuments.ts";
import { leadsOutside } from "../../../platform/files/bounded/placeInside.ts";
import { readSettings } from "../../../platform/settings.ts";
import { messageOf } from "../../../shared/messageOf.ts";
import { settings } from "../../../shared/names/ids.ts";
import { shortAddress } from "../../../shared/rpc/hex.ts";
import { networks } from "../../../shared/rpc/networks.ts";
import { withoutLinks } from "../../../shared/text/html/withoutLinks.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import {
  type ContractPlace,
  type ContractService,
  fetchContract,
  readContractService,
} from "../../contract/fetchContract.ts";
import { abiFileName, type Contract, isAddress, readContract } from "../../contract/readContract.ts";
import { declarationsOf } from "../../language/check/declarations.ts";
import { maxAbiBytes } from "../../run/inputs/readAbiFile.ts";
import type { RpcDeps } from "../deps.ts";
import type { Projects } from "../explorer/projects.ts";

interface ContractRequest {
  readonly cell: vscode.NotebookCell;
  readonly network: string;
  readonly address: string;
  readonly from?: ContractOrigin | undefined;
}

export type ContractOrigin = "service" | "file" | "source";

export interface ContractDeps extends Pick<RpcDeps, "consents" | "log"> {
  readonly projects: Projects;
  readonly texts: TextDocuments;
}

const useFile = "Use an ABI File…";
const openSetting = "Open Setting";

/** Gets the ABI or the source of the contract at an address, from the service of the setting or a file. */
export class ContractAbi {
  readonly #deps: ContractDeps;

  constructor(deps: ContractDeps) {
    this.#deps = deps;
  }

  /** For a cell. Without `from` the user chooses. */
  async get(request: ContractRequest): Promise<void> {
    if (!isAddress(request.address)) return;
    if (!vscode.workspace.isTrusted)
      return warn("This folder is not trusted. Trust the workspace to add ABIs to its notebooks.");
    try {
      const from = request.from ?? (await chooseOrigin(request.address));
      if (from === "file") await addFile(this.#deps, request);
      else if (from !== undefined) await askService(this.#deps, request, from);
    } catch (error) {
      if (error instanceof Error && error.name === "AbortError") return;
      this.#deps.log.warn(String(error));
      await offerFile(this.#deps, request, messageOf(error));
    }
  }
}

async function chooseOrigin(address: string): Promise<ContractOrigin | undefined> {
  const service = readContractService(readSettings().rpc.abiSource);
  const host = service && "host" in service ? service.host : undefined;
  const origins = [
    { label: host === undefined ? "A Service That Knows Contracts…" : `From ${host}`, from: "service" },
    { label: useFile, from: "file" },
  ] as const;
  const title = `ABI of ${shortAddress(address)}`;
  return (await vscode.window.showQuickPick(origins, { title }))?.from;
}

async function askService(
  deps: ContractDeps,
  request: ContractRequest,
  from: "service" | "source",
): Promise<void> {
  const service = readContractService(readSettings().rpc.abiSource);
  if (!service || "problem" in service)
    return offerSetting(deps, request, service?.problem ?? "No service that knows contracts is set.");
  const chainId = networks.find(({ slug }) => slug === request.network)?.chainId;
  if (chainId === undefined)
    return offerFile(
      deps,
      request,
      `No service can be asked about the network ${request.network}, because its chain id is not known.`,
    );
  const folder = folderOf(request.cell.notebook);
  if (from === "service" && !folder)
    return warn("Save the notebook first. The ABI is written into its folder.");
  const place = { chainId, address: request.address };
  if (!(await mayAsk(deps, service, request, chainId))) return;
  const { contract, note } = await withProgress(
    `Asking ${service.host} about ${shortAddress(request.address)}`,
    (signal) => receive(service, place, signal),
  );
  if (from === "source") return showSource(deps, contract.sources, service.host);
  const path = await declare(deps, request.cell, await newFile(request, contract, chainId, service.host));
  const seeSource = contract.sources.length > 0 ? ["Open Source"] : [];
  const message = withoutLinks(`Saved ${path}${note}. Run the cell again to decode its results.`);
  const chosen = await vscode.window.showInformationMessage(message, ...seeSource);
  if (chosen !== undefined) await showSource(deps, contract.sources, service.host);
}

/** The contract; for a proxy, the contract that it calls, with the sources of both. */
async function receive(
  service: ContractService,
  place: ContractPlace,
  signal: AbortSignal,
): Promise<{ readonly contract: Contract; readonly note: string }> {
  const transport = createHostTransport();
  const contract = await fetchContract(transport, service, place, signal);
  const { implementation } = contract;
  if (implementation === undefined) return { contract, note: "" };
  try {
    const called = await fetchContract(transport, service, { ...place, address: implementation }, signal);
    const sources = [...called.sources, ...contract.sources];
    return {
      contract: { ...called, sources },
      note: `, the ABI of ${shortAddress(implementation)}, which the proxy calls`,
    };
  } catch (error) {
    signal.throwIfAborted();
    const reason = messageOf(error);
    return {
      contract,
      note: `, the ABI of a proxy without that of the contract behind it. ${reason.replace(/\.$/, "")}`,
    };
  }
}

async function mayAsk(
  { consents }: ContractDeps,
  { host }: ContractService,
  { address, network }: ContractRequest,
  chainId: number,
): Promise<boolean> {
  const key = { kind: "contracts", receiver: host, subject: [host] } as const;
  if (consents.use(key)) return true;
  const ask = `Ask ${host}`;
  const detail = `The request costs no credits. ${host} gets the address ${address} and the chain ${chainId} (${network}), and sees the IP address of this machine. It gets no key and no other part of the notebook. If the contract is a proxy, it is asked about the contract behind it, too.\n\nYou are asked once for each host.`;
  if ((await warnModally(`Ask ${host} about this contract?`, { detail }, ask)) !== ask) return false;
  await consents.give({ ...key, says: `Ask ${host} about contracts` });
  return true;
}

async function addFile(deps: ContractDeps, request: ContractRequest): Promise<void> {
  const folder = folderOf(request.cell.notebook);
  const [file] =
    (await vscode.window.showOpenDialog({
      title: `ABI of ${shortAddress(request.address)}`,
      filters: { "JSON ABI or artifact": ["json"] },
      ...(folder ? { defaultUri: folder } : {}),
    })) ?? [];
  if (!file) return;
  if (vscode.workspace.getWorkspaceFolder(file))
    return void (await declare(deps, request.cell, { uri: file }));
  if (!folder) return warn("Save the notebook first. The ABI is copied into its folder.");
  if ((await vscode.workspace.fs.stat(file)).size > maxAbiBytes)
    return warn(`This file is larger than ${maxAbiBytes / 1_000_000} MB, which is the limit of an ABI.`);
  const contract = readContract(parsed(new TextDecoder().decode(await vscode.workspace.fs.readFile(file))));
  await declare(deps, request.cell, await newFile(request, contract));
}

function parsed(text: string): unknown {
  const value = parseJson(text);
  if (value === undefined)
    throw new Error("This file is not JSON. Choose the ABI or the artifact of a compiler.");
  return value;
}

/** Folder for the file of an ABI: that of the notebook, else the first of the workspace. */
function folderOf(notebook: vscode.NotebookDocument): vscode.Uri | undefined {
  return notebook.isUntitled
    ? vscode.workspace.workspaceFolders?.[0]?.uri
    : vscode.Uri.joinPath(notebook.uri, "..");
}

const mostNames = 50;

interface AbiPlace {
  readonly uri: vscode.Uri;
  /** Content of a file that is to be created. */
  readonly data?: Uint8Array;
}

/** A free name `abi/NAME.json`, or that of a file with the same content. */
async function newFile(
  { cell, address }: ContractRequest,
  contract: Contract,
  chainId?: number,
  host?: string,
): Promise<AbiPlace> {
  const folder = folderOf(cell.notebook) ?? cell.notebook.uri;
  const { abi, name } = contract;
  const text = `${JSON.stringify({ contractName: name, address, chainId, from: host, abi }, undefined, 2)}\n`;
  const plain = abiFileName(contract, address);
  for (let count = 1; count <= mostNames; count++) {
    const uri = vscode.Uri.joinPath(folder, "abi", `${plain}${count === 1 ? "" : `-${count}`}.json`);
    if (uri.scheme === "file" && (await leadsOutside([folder.fsPath], uri.fsPath)))
      throw new Error("The folder abi is a link to another place. Nothing was written.");
    const found = await vscode.workspace.fs.stat(uri).then(
      ({ size }) => ({ size }),
      () => undefined,
    );
    const data = new TextEncoder().encode(text);
    if (!found) return { uri, data };
    if (
      found.size === data.length &&
      text === new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))
    )
      return { uri };
  }
  throw new Error(`The folder abi has ${mostNames} other files of this name. Remove some of them.`);
}

/** Creates the file and adds the directive to the cell, unless the notebook has it. Returns the path in it. */
async function declare(
  { projects }: ContractDeps,
  { notebook, document }: vscode.NotebookCell,
  { uri, data }: AbiPlace,
): Promise<string> {
  const path = pathFrom(notebook, uri);
  const { project } = projects.of(notebook);
  const isDeclared = project.cells.some(({ cell }) => declarationsOf(cell).includes(path));
  const top = new vscode.Range(0, 0, 0, 0);
  const changes = isDeclared ? [] : [{ range: top, text: `@abi ${JSON.stringify(path)}\n` }];
  const file = data && { uri, data };
  if (isDeclared && !file) return path;
  if (!(await changeDocument(document, changes, { file, takesFocus: false })))
    throw new Error(`${path} was not written. Check that the folder of the notebook can be changed.`);
  return path;
}

/** Relative to the notebook if it is below its folder, else to the workspace. */
function pathFrom(notebook: vscode.NotebookDocument, uri: vscode.Uri): string {
  const beside = folderOf(notebook);
  const start = beside && `${beside.path.replace(/\/$/, "")}/`;
  if (start && uri.path.startsWith(start)) return uri.path.slice(start.length);
  return vscode.workspace.asRelativePath(uri, false);
}

async function showSource(
  { texts }: ContractDeps,
  sources: Contract["sources"],
  host: string,
): Promise<void> {
  if (sources.length === 0)
    return warn(`${host} sent no source. The setting may need "sources" in its fields.`);
  const items = sources.map((source) => ({ label: source.path, source }));
  const picked =
    items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { title: "Source" });
  if (!picked) return;
  const name =
    picked.source.path
      .split("/")
      .at(-1)
      ?.replace(/[^\w.$-]+/g, "_")
      .slice(-100) || "source.sol";
  await texts.show(name, picked.source.text);
}

async function offerFile(deps: ContractDeps, request: ContractRequest, reason: string): Promise<void> {
  const chosen = await vscode.window.showWarningMessage(withoutLinks(reason), useFile);
  if (chosen === useFile) await new ContractAbi(deps).get({ ...request, from: "file" });
}

async function offerSetting(deps: ContractDeps, request: ContractRequest, reason: string): Promise<void> {
  const chosen = await vscode.window.showWarningMessage(
    `${reason} The setting ${settings.rpcAbiSource} has its address.`,
    openSetting,
    useFile,
  );
  if (chosen === openSetting)
    await vscode.commands.executeCommand("workbench.action.openSettings", settings.rpcAbiSource);
  if (chosen === useFile) await new ContractAbi(deps).get({ ...request, from: "file" });
}

function warn(message: string): void {
  void vscode.window.showWarningMessage(message);
}
