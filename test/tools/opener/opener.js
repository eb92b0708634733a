// `npm start` alone installs this: no setting says which side bar a fresh window opens with.
const { commands } = require("vscode");

exports.activate = async () => {
  await commands.executeCommand("workbench.view.extension.inference");
  await commands.executeCommand("workbench.action.closeAuxiliaryBar");
};
