/** Every id that the manifest also contains. test/rules/manifest.test.ts compares package.json with this list. */

export const commands = {
  connectionSignIn: "inference.connection.signIn",
  connectionUseSandbox: "inference.connection.useSandbox",
  connectionSwitch: "inference.connection.switch",
  connectionRename: "inference.connection.rename",
  connectionChangeUrl: "inference.connection.changeUrl",
  connectionSignOut: "inference.connection.signOut",
  connectionDiagnose: "inference.connection.diagnose",
  modelUseLocal: "inference.model.useLocal",
  modelUseInVsCode: "inference.model.useInVsCode",
  modelExtensions: "inference.model.extensions",
  chatNew: "inference.chat.new",
  chatOpenInTab: "inference.chat.openInTab",
  chatNewTab: "inference.chat.newTab",
  chatStop: "inference.chat.stop",
  chatHistory: "inference.chat.history",
  chatExport: "inference.chat.export",
  chatImport: "inference.chat.import",
  proposalAccept: "inference.proposal.accept",
  proposalReject: "inference.proposal.reject",
  keyCreate: "inference.key.create",
  keyUpdate: "inference.key.update",
  keyRevoke: "inference.key.revoke",
  keySort: "inference.key.sort",
  usageDashboard: "inference.usage.dashboard",
  usageExport: "inference.usage.export",
  usageExplain: "inference.usage.explain",
  accountRefresh: "inference.account.refresh",
  accountAddAdmin: "inference.account.addAdmin",
  accountCopy: "inference.account.copy",
  budgetEdit: "inference.budget.edit",
  editorAsk: "inference.editor.ask",
  editorExplain: "inference.editor.explain",
  editorFix: "inference.editor.fix",
  editorWriteTests: "inference.editor.writeTests",
  editorDocument: "inference.editor.document",
  editorEdit: "inference.editor.edit",
  editAccept: "inference.edit.accept",
  editReject: "inference.edit.reject",
  editAcceptHunk: "inference.edit.acceptHunk",
  editRejectHunk: "inference.edit.rejectHunk",
  editAgain: "inference.edit.again",
  editStop: "inference.edit.stop",
  completionsConfigure: "inference.completions.configure",
  reviewAcceptHunk: "inference.review.acceptHunk",
  reviewRejectHunk: "inference.review.rejectHunk",
  reviewAcceptFile: "inference.review.acceptFile",
  reviewRejectFile: "inference.review.rejectFile",
  reviewAcceptAll: "inference.review.acceptAll",
  reviewRejectAll: "inference.review.rejectAll",
  reviewNext: "inference.review.next",
  reviewPrevious: "inference.review.previous",
  reviewDiff: "inference.review.diff",
  reviewAll: "inference.review.all",
  reviewCommit: "inference.review.commit",
  commitMessage: "inference.commit.message",
  commitStop: "inference.commit.stop",
  commitRestore: "inference.commit.restore",
  rpcNew: "inference.rpc.new",
  rpcGallery: "inference.rpc.gallery",
  rpcNetwork: "inference.rpc.network",
  rpcEnvironment: "inference.rpc.environment",
  rpcIgnore: "inference.rpc.ignore",
  rpcAbi: "inference.rpc.abi",
  rpcCopyAs: "inference.rpc.copyAs",
  rpcConvert: "inference.rpc.convert",
  rpcShowRequest: "inference.rpc.showRequest",
  rpcSimulate: "inference.rpc.simulate",
  rpcHistory: "inference.rpc.history",
  rpcImport: "inference.rpc.import",
  rpcCopyCi: "inference.rpc.copyCi",
  searchWeb: "inference.search.web",
  scrapePage: "inference.scrape.page",
  parseFiles: "inference.parse.files",
  parseFolder: "inference.parse.folder",
  failuresRetry: "inference.failures.retry",
  resultsRecent: "inference.results.recent",
  resultOpen: "inference.result.open",
  resultBrowse: "inference.result.browse",
  resultInsertLink: "inference.result.insertLink",
  resultInsertCitation: "inference.result.insertCitation",
  resultSave: "inference.result.save",
  resultToChat: "inference.result.toChat",
  resultAgain: "inference.result.again",
  resultRemove: "inference.result.remove",
  imageStudio: "inference.image.studio",
  imageEdit: "inference.image.edit",
  speechSelection: "inference.speech.selection",
  speechCursor: "inference.speech.cursor",
  speechDocument: "inference.speech.document",
  speechText: "inference.speech.text",
  speechPlayer: "inference.speech.player",
  speechToggle: "inference.speech.toggle",
  speechNext: "inference.speech.next",
  speechPrevious: "inference.speech.previous",
  speechStop: "inference.speech.stop",
  speechSave: "inference.speech.save",
  voiceClone: "inference.voice.clone",
  mcpCopyConfiguration: "inference.mcp.copyConfiguration",
  logShow: "inference.log.show",
} as const;

export const views = {
  container: "inference",
  welcome: "inference.welcome",
  chat: "inference.chat",
  account: "inferenceAccount",
  usage: "inference.usage",
  keys: "inference.keys",
  limits: "inference.limits",
  results: "inference.results",
  speech: "inferenceSpeech",
  player: "inference.player",
} as const;

/** View type of a chat in an editor tab. */
export const chatTab = "inference.chatTab";

/** View type of the image studio. */
export const imageStudio = "inference.imageStudio";

export const settings = {
  connectionTransport: "inference.connection.transport",
  connectionTimeoutSeconds: "inference.connection.timeoutSeconds",
  chatSendWith: "inference.chat.sendWith",
  chatPrompts: "inference.chat.prompts",
  budgetDayUsd: "inference.budget.dayUsd",
  budgetMonthUsd: "inference.budget.monthUsd",
  budgetHardStop: "inference.budget.hardStop",
  agentAllowedCommands: "inference.agent.allowedCommands",
  chatPresets: "inference.chat.presets",
  rpcAskAboveCredits: "inference.rpc.askAboveCredits",
  rpcLocalNode: "inference.rpc.localNode",
  rpcAbiSource: "inference.rpc.abiSource",
  priceAsk: "inference.price.ask",
  searchProvider: "inference.search.provider",
  searchLimit: "inference.search.limit",
  scrapeLinkAction: "inference.scrape.linkAction",
  parseFormat: "inference.parse.format",
  languageModelsAll: "inference.languageModels.all",
  completionsEnabled: "inference.completions.enabled",
  completionsModel: "inference.completions.model",
  completionsLanguages: "inference.completions.languages",
  completionsDebounceMs: "inference.completions.debounceMs",
  completionsHourUsd: "inference.completions.hourUsd",
  mcpEnabled: "inference.mcp.enabled",
  sandboxAutoStart: "inference.sandbox.autoStart",
  sandboxDialect: "inference.sandbox.dialect",
  sandboxModelServers: "inference.sandbox.modelServers",
  sandboxTokensPerSecond: "inference.sandbox.tokensPerSecond",
} as const;

/** The id in the marketplace, which other extensions use. */
export const extensionId = "inference-workbench.inference-workbench";

/** Vendor of the models in VS Code's own chat. */
export const languageModelVendor = "inference";

/** Provider of the MCP server for the editor's own clients. */
export const mcpProvider = "inference.mcp";

/** Tools for agents of the editor and for MCP clients. */
export const serviceToolNames = {
  searchWeb: "inference_search_web",
  readPage: "inference_read_page",
  parseDocument: "inference_parse_document",
  callChain: "inference_call_chain",
  generateImage: "inference_generate_image",
  editImage: "inference_edit_image",
  speakText: "inference_speak_text",
  usage: "inference_usage",
  readMore: "inference_read_more",
} as const;

/** Notebook types. */
export const notebooks = {
  rpc: "inference-rpc",
} as const;

/** Languages of notebook cells. */
export const languages = {
  rpc: "inference-rpc",
} as const;

/** Notebook renderers. */
export const renderers = {
  rpc: "inference-rpc",
} as const;

/** Context keys that `when` clauses in the manifest use. */
export const contexts = {
  /**
   * `none` after it is known that no connection is active, else the kind of the active one: `live`, `sandbox` or
   * `environment`. Any value but `none`, unset included, shows the chat.
   */
  connection: "inference.connectionState",
  chatBusy: "inference.chatBusy",
  /** True while the model writes an edit. */
  editRunning: "inference.editRunning",
  /** True while hunks of an agent wait for the user's review. */
  reviewing: "inference.reviewing",
  /** An object whose keys are the paths of the files with such hunks, to compare with `resourcePath`. */
  reviewFiles: "inference.reviewFiles",
  /** `running` while a commit message is written, `written` while the text before it can be restored. */
  commitState: "inference.commitState",
  /** Set while the account's keys can't be read because that requires a key of type ADMIN. */
  needsAdmin: "inference.needsAdmin",
  /** Set if the service lists, changes and revokes keys. */
  keysListed: "inference.keysListed",
  /** Unset until something was read aloud; then `reading` during playback, else `idle`. */
  speechState: "inference.speechState",
  /**
   * Set for a moment when the event has happened: a service was chosen, an answer was complete, an edit was accepted, a
   * result or a picture was saved, a cell has run.
   */
  tourConnected: "inference.tourConnected",
  tourAnswered: "inference.tourAnswered",
  tourEdited: "inference.tourEdited",
  tourFound: "inference.tourFound",
  tourPainted: "inference.tourPainted",
  tourRan: "inference.tourRan",
  tourShared: "inference.tourShared",
} as const;

/** The walkthrough that VS Code offers on its Welcome page. */
export const walkthroughs = { tour: "inference.tour" } as const;

/** The extension runs this command when the user has completed a step of the walkthrough. */
export const tourCommand = "_inference.tour.tick";

/** The editor runs this command after an inline completion was accepted. */
export const completionAccepted = "_inference.completions.accepted";

/** Scheme of the documents that preview an edit. `when` clauses use it, too. */
export const editScheme = "inference-edit";

/** Scheme of the documents that preview a file with the code of an answer. */
export const proposalScheme = "inference-proposal";

/** Scheme of the files as they were before an agent changed them. */
export const originalScheme = "inference-original";

/** Scheme of the documents with search results and error reports. */
export const resultScheme = "inference-result";

/** Environment variables that set the connection in ephemeral containers. */
export const environment = {
  key: "INFERENCE_API_KEY",
  baseUrl: "INFERENCE_BASE_URL",
} as const;

export type SettingId = (typeof settings)[keyof typeof settings];
