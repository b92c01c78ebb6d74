/** A Python with the package `cryptography`, for tests. `node test/support/python.js` prints where it is. */
const { existsSync, mkdirSync, symlinkSync } = require('node:fs');
const { join } = require('node:path');
const { inPath, provide, runAsCommand } = require('./debian-program');

/** @type {import('./debian-program').Program} */
const PYTHON = {
  title: 'Python with the package cryptography',
  users: 'the second implementation of the encryption contract',
  file: __filename,
  package: 'python3-cryptography',
  variable: 'PYTHON',
  places: ['/usr/bin/python3', ...inPath(['python3'])],
  probe: ['-c', 'import cryptography'],
  unpacked: 'usr/bin/python3',
  // Where the system has Python and lacks the package, only the package is unpacked.
  prepare: (root) => {
    const python = join(root, 'usr/bin/python3');
    if (existsSync(python)) return;
    mkdirSync(join(root, 'usr/bin'), { recursive: true });
    symlinkSync('/usr/bin/python3', python);
  },
  environment: (root) => ({ PYTHONPATH: join(root, 'usr/lib/python3/dist-packages') }),
};

module.exports = { python: () => provide(PYTHON) };

if (require.main === module) runAsCommand(PYTHON);
