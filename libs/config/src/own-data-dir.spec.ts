import { useOwnDataDir } from './own-data-dir';

describe('the data folder of a process that is started by the name of the package', () => {
  it.each([
    [{ DATA_DIR: '/data', XDG_DATA_HOME: '/x' }, '/data'],
    [{ XDG_DATA_HOME: '/x' }, '/x/health-records-service'],
    [{ DATA_DIR: '' }, expect.stringMatching(/\/\.local\/share\/health-records-service$/)],
  ])('with %p is %p', (env: NodeJS.ProcessEnv, folder) => {
    expect(useOwnDataDir(env)).toEqual(folder);
    expect(env.DATA_DIR).toEqual(folder);
  });
});
