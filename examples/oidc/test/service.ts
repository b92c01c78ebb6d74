import { composeService, createApp } from 'health-records-service';
import { ServiceConfig } from 'health-records-service/config';
import { makeServiceTemplate, startTestService, TestCluster } from 'health-records-service/testing';
import { DOMAINS } from '../src/domains';

const { settings: ownSettings } = composeService(DOMAINS);

/** Starts the service with the module of this project, on a PostgreSQL of its own. */
export async function startService(settings: Record<string, string>) {
  const create = (environment: Record<string, string>) =>
    createApp(new ServiceConfig({ ...settings, ...environment }, ownSettings), DOMAINS);
  const cluster = await TestCluster.start();
  await makeServiceTemplate(cluster, create);
  const service = await startTestService(cluster, create);
  const stop = async () => {
    await service.stop();
    await cluster.stop();
  };
  return { ...service, stop };
}
