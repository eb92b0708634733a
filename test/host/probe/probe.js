exports.activate = (context) => ({ context, lm: require("vscode").lm });
