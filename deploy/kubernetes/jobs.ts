import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ICronJob, IJob } from 'kubernetes-models/batch/v1';
import type { IConfigMap, IContainer, IPodTemplateSpec } from 'kubernetes-models/v1';
import { JOB_LABELS, NAME } from './names.js';
import { CONTAINER_LIMITS, environment, mounts, POD_LIMITS, volumes } from './pod.js';
import type { Values } from './values.js';

const OPS = ['node', 'dist/apps/api/src/ops/main.js'];
const SCRIPTS = `${NAME}-scripts`;
const BACKUPS = '/backups';
/** The one that deploy/compose.yaml pins. */
const POSTGRES = 'postgres:18.4@sha256:3a82e1f56c8f0f5616a11103ac3d47e632c3938698946a7ad26da0df1334744a';
/** Of the PostgreSQL beside a rehearsal: it listens on the pod's loopback only, and holds one copy for a while. */
const REHEARSAL_URL = 'postgres://postgres:rehearsal@127.0.0.1:5432/postgres';

/** Migrates once for an image, before its pods are ready. Its name has the image in it: a job cannot be changed. */
export function migrationJob(values: Values): IJob {
  const image = createHash('sha256').update(values.image).digest('hex').slice(0, 8);
  const migrate: IContainer = { ...job(values), name: 'migrate', command: [...OPS, 'migrate'] };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: `${NAME}-migrate-${image}`, labels: JOB_LABELS },
    spec: { backoffLimit: 3, ttlSecondsAfterFinished: 7 * 86_400, template: pod(values, migrate) },
  };
}

/** The script of Compose, which names backups by their time and removes old ones. */
export function scripts(): IConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: SCRIPTS, labels: JOB_LABELS },
    // From `deploy/dist/kubernetes`.
    data: { 'backup.sh': readFileSync(join(__dirname, '../../backup.sh'), 'utf8') },
  };
}

/** A backup each night, the list of the erased each minute, and each week a restore of the newest backup for a trial. */
export function backupJobs(values: Values, backups: NonNullable<Values['backups']>): ICronJob[] {
  const run = (word: string): IContainer => ({
    ...job(values),
    name: word,
    command: ['sh', '/scripts/backup.sh', word],
    env: [
      ...environment(values),
      { name: 'FOLDER', value: BACKUPS },
      { name: 'KEEP_DAYS', value: String(backups.keepDays) },
      { name: 'HOUR', value: '0' },
      ...(word === 'rehearse' ? [{ name: 'REHEARSAL_URL', value: REHEARSAL_URL }] : []),
    ],
    volumeMounts: [
      ...mounts(values),
      { name: 'scripts', mountPath: '/scripts', readOnly: true },
      { name: 'backups', mountPath: BACKUPS, readOnly: word === 'rehearse' },
    ],
  });
  const withBackups = (word: string, database?: IContainer): IPodTemplateSpec => {
    const template = pod(values, run(word), database);
    template.spec!.volumes!.push(
      { name: 'scripts', configMap: { name: SCRIPTS } },
      { name: 'backups', persistentVolumeClaim: { claimName: backups.claim } },
      ...(database ? [{ name: 'copy', emptyDir: { sizeLimit: backups.rehearsalSize } }] : []),
    );
    return template;
  };
  return [
    cron('backup', backups.schedule, withBackups('backup')),
    cron('erasures', '* * * * *', withBackups('erasures')),
    cron('rehearsal', backups.rehearsalSchedule, withBackups('rehearse', databaseBeside())),
  ];
}

function cron(name: string, schedule: string, template: IPodTemplateSpec): ICronJob {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: `${NAME}-${name}`, labels: JOB_LABELS },
    spec: {
      schedule,
      // Two runs at once would take each other's drafts away.
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 3_600,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 3,
      jobTemplate: { spec: { backoffLimit: 1, template } },
    },
  };
}

/** A sidecar: it starts before the rehearsal and ends after it. Kubernetes 1.29. */
function databaseBeside(): IContainer {
  return {
    name: 'database',
    image: POSTGRES,
    restartPolicy: 'Always',
    args: ['-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'],
    env: [
      { name: 'POSTGRES_PASSWORD', value: 'rehearsal' },
      { name: 'PGDATA', value: '/copy/data' },
    ],
    startupProbe: {
      exec: { command: ['pg_isready', '--quiet', '--host=127.0.0.1'] },
      periodSeconds: 2,
      failureThreshold: 60,
    },
    resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '1Gi' } },
    securityContext: { ...CONTAINER_LIMITS, runAsUser: 999 },
    volumeMounts: [
      { name: 'copy', mountPath: '/copy' },
      { name: 'copy', mountPath: '/var/run/postgresql', subPath: 'run' },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  };
}

function job(values: Values): IContainer {
  return {
    name: 'job',
    image: values.image,
    env: environment(values),
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
    securityContext: CONTAINER_LIMITS,
    volumeMounts: mounts(values),
  };
}

function pod(values: Values, container: IContainer, beside?: IContainer): IPodTemplateSpec {
  return {
    metadata: { labels: JOB_LABELS },
    spec: {
      ...POD_LIMITS,
      restartPolicy: 'Never',
      // The volume of the backups belongs to the group of the image's user.
      securityContext: { ...POD_LIMITS.securityContext, fsGroup: 1000 },
      ...(beside && { initContainers: [beside] }),
      containers: [container],
      volumes: volumes(values),
    },
  };
}
