import { fileName } from "../../../../../shared/text/fileName.ts";
import type { ToolInput } from "../../../../../tools/serviceTool.ts";
import { inputText } from "../../../../../tools/serviceTool.ts";
import { changedFolder, simpleCommands } from "../commandLine.ts";
import type { SandboxState } from "./commandSandbox.ts";
import type { SandboxAccess } from "./sandboxPlan.ts";

/** What a call asks to be allowed in the sandbox; undefined if it asks to run without. Git's own commands write the repository. */
export function accessOf(input: ToolInput): SandboxAccess | undefined {
  if (input.outside_sandbox === true) return undefined;
  const line = inputText(input, "command");
  const commands = simpleCommands(changedFolder(line)?.rest ?? line) ?? [];
  const isGit = commands.length > 0 && commands.every(([program = ""]) => fileName(program) === "git");
  return { network: input.network === true, repository: input.repository === true || isGit };
}

/** What a call may do that another one with the same command may not: its approvals are others. */
export function accessWords({
  network,
  repository,
  outside_sandbox: isOutside,
}: ToolInput): readonly string[] {
  if (isOutside === true) return ["without the sandbox"];
  return [
    ...(network === true ? ["with network"] : []),
    ...(repository === true ? ["writes the repository"] : []),
  ];
}

/** Why a call asks although commands are allowed. An approval of its command is not one of that. */
export function accessQuestion(access: SandboxAccess | undefined): string | undefined {
  if (access === undefined) return "It asks because it runs without the sandbox.";
  return access.network ? "It asks because it may use the network." : undefined;
}

/** What the card says about where a command runs. */
export function limitsText(state: SandboxState, access: SandboxAccess | undefined): string | undefined {
  if (!state.isOn) return state.missing && `Without a sandbox, because ${state.missing.reason}.`;
  if (access === undefined) return "Without the sandbox: it can do all that you can.";
  const { network, repository } = access;
  const writes = repository ? "the workspace and its repository" : "the workspace";
  return `In a sandbox: writes only in ${writes}, ${network ? "with" : "no"} network.`;
}

/** For the model, which is told before it is known whether the system has a sandbox. */
export const sandboxDescription =
  "Where the system can, it runs in a sandbox: it writes only in the workspace folders and /tmp, which later commands share; .git, .vscode and other files that make programs run are read-only; there is no network, and what it leaves running ends with it. Set repository for a command other than git that writes .git. Set network only for one that needs it, such as an install, or a server that the user's browser has to reach: the user is asked. Set outside_sandbox only if the sandbox has refused what the command needs: the user is asked.";

const outside = "call it again with outside_sandbox: true, and the user is asked";

/** What a failed command may have met, as a sentence for the model and the user; empty if nothing looks like it. */
export function sandboxHint(output: string, { network, repository }: SandboxAccess): string {
  const isNetwork =
    /Network is unreachable|ENETUNREACH|EAI_AGAIN|ENOTFOUND|name resolution|resolve host|could not be resolved|No route to host/i;
  if (!network && isNetwork.test(output))
    return "It ran in a sandbox without network. If it needs the network, call it again with network: true.";
  if (
    network &&
    /Permission denied \(publickey|could not read Username|terminal prompts disabled/i.test(output)
  )
    return `It ran in a sandbox without SSH agent and without the passwords of the editor. If it needs them, ${outside}.`;
  if (
    !/Read-only file system|EROFS|Operation not permitted|EPERM|Device or resource busy|EBUSY/i.test(output)
  )
    return "";
  const more = repository ? "" : " If it has to write .git, call it again with repository: true.";
  return `The sandbox may have refused this: only the workspace and /tmp can be written, without files that make programs run.${more} If it has to write elsewhere, ${outside}.`;
}
