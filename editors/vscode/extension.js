const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

exports.activate = () => {
  const command = workspace.getConfiguration('rye-render').get('path');
  const documentSelector = ['markdown', 'yaml', 'json', 'jsonc', 'toml'].map((language) => ({ scheme: 'file', language }));
  client = new LanguageClient('rye-render', 'rye-render', { command, args: ['lsp'] }, { documentSelector });
  return client.start();
};

exports.deactivate = () => client?.stop();
