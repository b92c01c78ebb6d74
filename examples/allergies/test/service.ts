import { composeService, createApp, type Extension } from 'health-records-service';
import { ServiceConfig } from 'health-records-service/config';
import {
  type Check,
  makeServiceTemplate,
  startTestService,
  TestCluster,
  type TestService,
} from 'health-records-service/testing';
import { it } from 'node:test';
import { DOMAINS } from '../src/domains';

export type { TestService };

let cluster: TestCluster | undefined;
const services: TestService[] = [];

/** Starts the service with the modules of this project, on a separate database. */
export async function startService(
  settings?: Record<string, string>,
  domains: readonly Extension[] = DOMAINS,
): Promise<TestService> {
  const { settings: ownSettings } = composeService(domains);
  const create = (environment: Record<string, string>) =>
    createApp(new ServiceConfig(environment, ownSettings), domains);
  if (!cluster) {
    cluster = await TestCluster.start();
    await makeServiceTemplate(cluster, create);
  }
  const service = await startTestService(cluster, create, settings);
  services.push(service);
  return service;
}

/** Stops every service of this test file, and its PostgreSQL. */
export async function stopServices(): Promise<void> {
  for (const service of services.splice(0)) await service.stop();
  await cluster?.stop();
  cluster = undefined;
}

/** Makes one test of each check that the package provides. */
export function runChecks(checks: readonly Check[]): void {
  for (const { name, run, timeoutMs } of checks) it(name, { timeout: timeoutMs }, run);
}
