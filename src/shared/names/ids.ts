/** Every id that the manifest also contains. test/rules/manifest/manifest.test.ts compares package.json with this list. */

/** The start names it, and needs no other command. */
export const switchConnection = "inference.connection.switch";

export const commands = {
  connectionSignIn: "inference.connection.signIn",
  connectionSignInWithWallet: "inference.connection.signInWithWallet",
  connectionRemoveWallet: "inference.connection.removeWallet",
  connectionUseSandbox: "inference.connection.useSandbox",
  connectionSwitch: switchConnection,
  connectionRename: "inference.connection.rename",
  connectionChangeUrl: "inference.connection.changeUrl",
  connectionSignOut: "inference.connection.signOut",
  connectionShowPermissions: "inference.connection.showPermissions",
  connectionDiagnose: "inference.connection.diagnose",
  connectionUseLocalModel: "inference.connection.useLocalModel",
  connectionShowLog: "inference.connection.showLog",
  languageModelsUseInVsCode: "inference.languageModels.useInVsCode",
  languageModelsChooseExtensions: "inference.languageModels.chooseExtensions",
  chatNew: "inference.chat.new",
  chatOpenInTab: "inference.chat.openInTab",
  chatNewInTab: "inference.chat.newInTab",
  chatStop: "inference.chat.stop",
  chatShowHistory: "inference.chat.showHistory",
  chatExport: "inference.chat.export",
  chatImport: "inference.chat.import",
  accountCreateKey: "inference.account.createKey",
  accountEditKey: "inference.account.editKey",
  accountRevokeKey: "inference.account.revokeKey",
  accountRotateKey: "inference.account.rotateKey",
  accountShowKeyCalls: "inference.account.showKeyCalls",
  accountShowKey: "inference.account.showKey",
  accountSortKeys: "inference.account.sortKeys",
  accountOpenDashboard: "inference.account.openDashboard",
  accountExportUsage: "inference.account.exportUsage",
  accountExplainCost: "inference.account.explainCost",
  accountRefresh: "inference.account.refresh",
  accountReadWallet: "inference.account.readWallet",
  accountReadBill: "inference.account.readBill",
  accountTestAlert: "inference.account.testAlert",
  accountAddAdminKey: "inference.account.addAdminKey",
  accountCopy: "inference.account.copy",
  accountChangeBudget: "inference.account.changeBudget",
  editorAsk: "inference.editor.ask",
  editorExplain: "inference.editor.explain",
  editorFix: "inference.editor.fix",
  editorWriteTests: "inference.editor.writeTests",
  editorDocument: "inference.editor.document",
  editorEdit: "inference.editor.edit",
  editorRewrite: "inference.editor.rewrite",
  editorShorten: "inference.editor.shorten",
  editorProofread: "inference.editor.proofread",
  editorTranslate: "inference.editor.translate",
  editorSummarize: "inference.editor.summarize",
  editorOpenSample: "inference.editor.openSample",
  editorRepeatEdit: "inference.editor.repeatEdit",
  editorStopEdit: "inference.editor.stopEdit",
  editorWriteCommitMessage: "inference.editor.writeCommitMessage",
  editorStopCommitMessage: "inference.editor.stopCommitMessage",
  editorRestoreCommitMessage: "inference.editor.restoreCommitMessage",
  completionsConfigure: "inference.completions.configure",
  changesAcceptHunk: "inference.changes.acceptHunk",
  changesRejectHunk: "inference.changes.rejectHunk",
  changesAcceptFile: "inference.changes.acceptFile",
  changesRejectFile: "inference.changes.rejectFile",
  changesAcceptAll: "inference.changes.acceptAll",
  changesRejectAll: "inference.changes.rejectAll",
  changesNextHunk: "inference.changes.nextHunk",
  changesPreviousHunk: "inference.changes.previousHunk",
  changesShowDiff: "inference.changes.showDiff",
  changesShowAll: "inference.changes.showAll",
  changesWriteCommitMessage: "inference.changes.writeCommitMessage",
  rpcNew: "inference.rpc.new",
  rpcOpenGallery: "inference.rpc.openGallery",
  rpcChooseNetwork: "inference.rpc.chooseNetwork",
  rpcChooseEnvironment: "inference.rpc.chooseEnvironment",
  rpcIgnoreEnvironment: "inference.rpc.ignoreEnvironment",
  rpcGetAbi: "inference.rpc.getAbi",
  rpcCopyAs: "inference.rpc.copyAs",
  rpcConvert: "inference.rpc.convert",
  rpcShowRequest: "inference.rpc.showRequest",
  rpcSimulate: "inference.rpc.simulate",
  rpcShowHistory: "inference.rpc.showHistory",
  rpcImport: "inference.rpc.import",
  rpcCopyCiCommand: "inference.rpc.copyCiCommand",
  webAsk: "inference.web.ask",
  webSearch: "inference.web.search",
  webScrape: "inference.web.scrape",
  webParse: "inference.web.parse",
  webParseFolder: "inference.web.parseFolder",
  webRetryFailed: "inference.web.retryFailed",
  webShowRecent: "inference.web.showRecent",
  webShowResults: "inference.web.showResults",
  webOpenResult: "inference.web.openResult",
  webOpenInBrowser: "inference.web.openInBrowser",
  webInsertLink: "inference.web.insertLink",
  webInsertCitation: "inference.web.insertCitation",
  webCite: "inference.web.cite",
  webSaveResult: "inference.web.saveResult",
  webSendToChat: "inference.web.sendToChat",
  webSearchAgain: "inference.web.searchAgain",
  webRemoveResult: "inference.web.removeResult",
  imagesOpenStudio: "inference.images.openStudio",
  imagesEdit: "inference.images.edit",
  speechReadSelection: "inference.speech.readSelection",
  speechReadFromCursor: "inference.speech.readFromCursor",
  speechReadDocument: "inference.speech.readDocument",
  speechReadText: "inference.speech.readText",
  speechOpenPlayer: "inference.speech.openPlayer",
  speechToggle: "inference.speech.toggle",
  speechNextSentence: "inference.speech.nextSentence",
  speechPreviousSentence: "inference.speech.previousSentence",
  speechSkip: "inference.speech.skip",
  speechStop: "inference.speech.stop",
  speechSave: "inference.speech.save",
  speechCloneVoice: "inference.speech.cloneVoice",
  toolsCopyMcpConfiguration: "inference.tools.copyMcpConfiguration",
  gatewaySetUp: "inference.gateway.setUp",
  gatewayPauseSession: "inference.gateway.pauseSession",
  gatewayStopSession: "inference.gateway.stopSession",
  gatewayResumeSession: "inference.gateway.resumeSession",
  gatewayApplyChange: "inference.gateway.applyChange",
  gatewayLeaveFile: "inference.gateway.leaveFile",
  requestsShow: "inference.requests.show",
  requestsClear: "inference.requests.clear",
} as const;

export const views = {
  container: "inference",
  welcome: "inference.welcome",
  chat: "inference.chat",
  account: "inferenceAccount",
  usage: "inference.usage",
  keys: "inference.keys",
  limits: "inference.limits",
  agentSessions: "inference.agentSessions",
  results: "inference.results",
  speech: "inferenceSpeech",
  player: "inference.player",
} as const;

/** View type of a chat in an editor tab. */
export const chatTab = "inference.chatTab";

/** View type of the list of requests. */
export const requestsPanel = "inference.requests";
export const resultsPanel = "inference.storedResults";

/** View type of the image studio. */
export const imageStudio = "inference.imageStudio";

/** View type of the usage dashboard. */
export const usageDashboard = "inference.usageDashboard";

export const settings = {
  connectionTransport: "inference.connection.transport",
  connectionTimeoutSeconds: "inference.connection.timeoutSeconds",
  walletCommand: "inference.wallet.command",
  chatSendWith: "inference.chat.sendWith",
  chatPrompts: "inference.chat.prompts",
  chatHomeInstructions: "inference.chat.homeInstructions",
  chatTaskNotices: "inference.chat.taskNotices",
  chatAllowedCommands: "inference.chat.allowedCommands",
  chatPresets: "inference.chat.presets",
  accountDayBudgetUsd: "inference.account.dayBudgetUsd",
  accountMonthBudgetUsd: "inference.account.monthBudgetUsd",
  accountBudgetHardStop: "inference.account.budgetHardStop",
  accountBudgets: "inference.account.budgets",
  accountAskPrice: "inference.account.askPrice",
  accountAlertCommand: "inference.account.alertCommand",
  accountAlertAddress: "inference.account.alertAddress",
  accountAlertNames: "inference.account.alertNames",
  rpcAskAboveCredits: "inference.rpc.askAboveCredits",
  rpcLocalNode: "inference.rpc.localNode",
  rpcAbiSource: "inference.rpc.abiSource",
  webSearchProvider: "inference.web.searchProvider",
  webSearchLimit: "inference.web.searchLimit",
  webLinkAction: "inference.web.linkAction",
  webParseFormat: "inference.web.parseFormat",
  webParser: "inference.web.parser",
  languageModelsAll: "inference.languageModels.all",
  completionsEnabled: "inference.completions.enabled",
  completionsModel: "inference.completions.model",
  completionsLanguages: "inference.completions.languages",
  completionsDebounceMs: "inference.completions.debounceMs",
  completionsHourUsd: "inference.completions.hourUsd",
  toolsMcpEnabled: "inference.tools.mcpEnabled",
  gatewayEnabled: "inference.gateway.enabled",
  gatewayPort: "inference.gateway.port",
  requestsKeepDays: "inference.requests.keepDays",
  requestsTraceAddress: "inference.requests.traceAddress",
  requestsTraceContent: "inference.requests.traceContent",
  sandboxAutoStart: "inference.sandbox.autoStart",
  sandboxDialect: "inference.sandbox.dialect",
  sandboxModelServers: "inference.sandbox.modelServers",
  sandboxTokensPerSecond: "inference.sandbox.tokensPerSecond",
} as const;

/** Settings of the agent's commands, which are not in the bundle of the start. */
export const commandSettings = {
  chatSandboxCommands: "inference.chat.sandboxCommands",
  chatWritableFolders: "inference.chat.writableFolders",
} as const;

/** Each key of a sandbox begins so. */
export const sandboxKeyPrefix = "sandbox-";

/** The id in the marketplace, which other extensions use. */
export const extensionId = "inference-workbench.inference-workbench";

/** Vendor of the models in VS Code's own chat. */
export const languageModelVendor = "inference";

/** Provider of the MCP server for the editor's own clients. */
export const mcpProvider = "inference.mcp";

/** Tools for agents of the editor and for MCP clients. */
export const serviceToolNames = {
  searchWeb: "inference_search_web",
  askWeb: "inference_ask_web",
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

/** Context keys of the review, which are not in the bundle of the start. */
export const reviewContexts = {
  /** True while hunks wait for the user's review. */
  reviewing: "inference.reviewing",
  /** True while the visible list of changes lacks files that an agent has changed since. */
  reviewBehind: "inference.reviewBehind",
  /** An object whose keys are the paths of the documents with such hunks, to compare with `resourcePath`. */
  reviewFiles: "inference.reviewFiles",
} as const;

/** The walkthrough that VS Code offers on its Welcome page. */
export const walkthroughs = { tour: "inference.tour" } as const;

/** The extension runs this command when the user has completed a step of the walkthrough. */
export const tourCommand = "_inference.tour.tick";

/** The editor runs this command after an inline completion was accepted. */
export const completionAccepted = "_inference.completions.accepted";

/**
 * Scheme of the read-only sides of the diffs of the review. The authority says which: `before` or `empty` for a file that an
 * agent has changed, `edit` or `code` for a change that is in no file yet. `when` clauses use it, too.
 */
export const reviewScheme = "inference-review";

/** Scheme of the sides of the diff before the configuration of another agent is written. `when` clauses use it, too. */
export const gatewayConfigScheme = "inference-gateway-config";

/** Scheme of the documents with the body of a recorded request. */
export const requestScheme = "inference-request";

/** Scheme of the documents with search results and error reports. */
export const resultScheme = "inference-result";

/** Environment variables that set the connection in ephemeral containers. */
export const environment = {
  key: "INFERENCE_API_KEY",
  baseUrl: "INFERENCE_BASE_URL",
} as const;

export type CommandId = (typeof commands)[keyof typeof commands];
export type SettingId =
  | (typeof settings)[keyof typeof settings]
  | (typeof commandSettings)[keyof typeof commandSettings];
