import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataDir } from '@app/testing';
import { startBuiltService } from '../support/built-service';
import { nodeOfImage, nodeVersionOfImage, pinnedVersions, versionOf } from '../support/node-of-image';
import { aWholeDay } from './whole-day';

it('the smoke test runs the version of Node that the Dockerfile names', () => {
  expect(new Set(pinnedVersions())).toEqual(new Set([nodeVersionOfImage()]));
});

it('the built service works for a whole day on the Node of the image, with its embedded PostgreSQL', async () => {
  const node = nodeOfImage();
  if (process.platform === 'linux') expect(versionOf(node)).toBe(nodeVersionOfImage());
  const dataDir = mkdtempSync(join(tmpdir(), 'hrs-node-'));
  const environment = { DATA_DIR: dataDir, JWT_SECRET: '', DECOY_SECRET: '', SECOND_STEP_SECRET: '' };
  try {
    const service = await startBuiltService(environment, { node });
    try {
      expect((await service.api.get('/readyz')).status).toBe(200);
      await aWholeDay(service.api);
      expect(service.output()).not.toMatch(/Warning|Error:|"level":"(error|fatal)"/);
    } finally {
      expect(await service.end()).toBe(0);
    }
  } finally {
    removeDataDir(dataDir);
  }
}, 360_000);
