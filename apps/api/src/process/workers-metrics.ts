import type { Worker } from 'node:cluster';
import { AggregatorRegistry, register } from 'prom-client';

/** A worker asks its database for at most 2 seconds. One that has not answered by now is left out. */
const ANSWER_TIMEOUT_MS = 4_000;

interface Question {
  metricsFor: number;
}

interface Answer {
  metricsOf: number;
  /** Undefined if the worker could not read them. */
  metrics?: object[];
}

let questions = 0;

/** Answers the primary's questions for the metrics of this worker. */
export function answerMetrics(): void {
  process.on('message', ({ metricsFor: metricsOf }: Partial<Question>) => {
    if (metricsOf === undefined) return;
    const send = (metrics?: object[]) =>
      process.send!({ metricsOf, metrics } satisfies Answer, () => undefined);
    register.getMetricsAsJSON().then(send, () => send());
  });
}

/**
 * Adds up the metrics of the workers that answer.
 *
 * The library's own `clusterMetrics` fails if one worker does not answer: one that has just died, or that is still
 * starting.
 */
export async function readWorkers(workers: Worker[]): Promise<string> {
  const question = { metricsFor: questions++ };
  const answers = await Promise.all(workers.map((worker) => ask(worker, question)));
  return AggregatorRegistry.aggregate(answers.filter((each) => each !== undefined)).metrics();
}

/** @returns `undefined` if the worker ends before it answers, or takes too long. */
function ask(worker: Worker, question: Question): Promise<object[] | undefined> {
  return new Promise((resolve) => {
    const finish = (metrics?: object[]) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      resolve(metrics);
    };
    const onMessage = ({ metricsOf, metrics }: Partial<Answer>) => {
      if (metricsOf === question.metricsFor) finish(metrics);
    };
    const onExit = () => finish();
    const timer = setTimeout(finish, ANSWER_TIMEOUT_MS);
    worker.on('message', onMessage).on('exit', onExit);
    worker.send(question, (error) => error && finish());
  });
}
