/**
 * One path through each feature, which `npm test` takes: titles of UI tests by file. The tests of a file share a window,
 * and later ones may need earlier ones, so a path begins where its window or its suite does. The editor's own chat has none:
 * it takes as long as two paths, and the host tests ask the same models by the editor's interface.
 */
export const uiPaths: Readonly<Record<string, readonly string[]>> = {
  "test/ui/account/account.ui.test.ts": [
    "shows limits, keys and usage in their own views, so that the chat has the side bar",
    "shows an unused account as such",
    "explains the price of a call of this extension",
  ],
  "test/ui/chat/agent.ui.test.ts": [
    "is chosen beside Send, with the cap of a task",
    "plans, edits and asks before each command",
    "shows two subagents side by side, each with what it does, its rounds, its cost and a stop",
  ],
  "test/ui/chat/chat.ui.test.ts": [
    "opens with the sandbox, shows the model, and offers a first question",
    "answers a suggestion in more than one paint, and shows the usage",
    "opens the request of the answer",
  ],
  "test/ui/connection/connection.ui.test.ts": [
    "offers known services, a custom address, and the dialect last",
    "refuses an invalid address and keeps the typed text",
    "checks the key at the service before it stores anything",
    "accepts the right key, asks for a name, and shows it in the status bar",
  ],
  "test/ui/connection/wallet.ui.test.ts": [
    "proves the program before anything is stored, and says which calls the wallet pays",
    "pays for the calls of a notebook until its balance is used up, and then shows how to top up",
  ],
  "test/ui/editor/editor.ui.test.ts": [
    "show an edit as a diff that one key accepts and one key undoes",
    "are switched on by their command, which names model and price",
    "show ghost text while the user types, and Tab accepts it",
  ],
  "test/ui/images/images.ui.test.ts": [
    "counts the prompt against the model's limit and does not send a longer one",
    "asks for a folder and confirms the price, then shows the new image",
  ],
  "test/ui/rpc/rpcNotebook.ui.test.ts": [
    "opens with a cell that shows its price",
    "runs it against the sandbox and shows its cost",
  ],
  "test/ui/speech/speech.ui.test.ts": [
    "explains why a binary file can't be read",
    "confirms the price before anything is sent",
    "plays while it arrives, and marks the current sentence",
  ],
  "test/ui/tools/tools.ui.test.ts": [
    "shows the price and the recipient of a query before sending it",
    "shows results in an editor, with what they say",
    "name the client, the call and its price; typed lines choose nothing, and Escape refuses",
    "get a token and an address once the user has turned it on",
  ],
};
