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

/** @type {import('./debian-program').Program} */
const SYSTEMD_ANALYZE = {
  title: 'systemd-analyze',
  users: 'the check of the units in deploy/systemd',
  file: __filename,
  package: 'systemd',
  variable: 'SYSTEMD_ANALYZE',
  places: inPath(['systemd-analyze']),
  unpacked: 'usr/bin/systemd-analyze',
  isDaemon: true,
};

module.exports = {
  shellCheckProgram: () => provide(SHELLCHECK),
  systemdProgram: () => provide(SYSTEMD_ANALYZE),
};
if (require.main === module) runAsCommand(SHELLCHECK);
