export const NAME = 'health-records-service';
export const LABELS = { 'app.kubernetes.io/name': NAME };
/** Of the service for metrics alone, so that a ServiceMonitor finds it and no other. */
export const METRICS_LABELS = { ...LABELS, 'app.kubernetes.io/component': 'metrics' };
/** Of pods that do one thing and end: no Service finds them. */
export const JOB_LABELS = { 'app.kubernetes.io/name': `${NAME}-jobs` };
