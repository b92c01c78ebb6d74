/** Programs for tests of the scripts in deploy. `node test/support/shell-programs.js` prints where ShellCheck is. */
const { inPath, provide, runAsCommand } = require('./debian-program');

/** @type {import('./debian-program').Program} */
const SHELLCHECK = {
  title: 'ShellCheck',
  users: 'the check of the scripts in deploy',
  file: __filename,
  package: 'shellcheck',
  variable: 'SHELLCHECK',
  places: inPath(['shellcheck']),
  unpacked: 'usr/bin/shellcheck',
};

module.exports = { shellCheckProgram: () => provide(SHELLCHECK) };
if (require.main === module) runAsCommand(SHELLCHECK);
