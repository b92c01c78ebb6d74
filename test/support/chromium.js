/** A Chromium for the browser tests. `node test/support/chromium.js` prints where it is. */
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { inPath, provide, runAsCommand } = require('./debian-program');

/** @type {import('./debian-program').Program} */
const CHROMIUM = {
  title: 'Chromium',
  users: 'the browser tests',
  file: __filename,
  package: 'chromium',
  variable: 'CHROMIUM',
  places: [
    ...inPath(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  unpacked: 'usr/lib/chromium/chromium',
  prepare: (root, target) => writeFileSync(join(root, 'fonts.conf'), fontsOf(target)),
  environment: (root) => ({ FONTCONFIG_FILE: join(root, 'fonts.conf') }),
};

function fontsOf(root) {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${root}/usr/share/fonts</dir>
  <cachedir>${root}/var/cache/fontconfig</cachedir>
</fontconfig>
`;
}

module.exports = { chromium: () => provide(CHROMIUM) };

if (require.main === module) runAsCommand(CHROMIUM);
