import { fork } from 'node:child_process';

/** Runs a program that gets one job as a message and answers with one result. @throws Error where it ends without one. */
export function inProcess(program, job) {
  return new Promise((resolve, reject) => {
    const child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    let result;
    child.once('message', (message) => (result = message));
    child.once('error', reject);
    child.once('exit', (code) =>
      result ? resolve(result) : reject(new Error(`${program} ended with ${code}.`)),
    );
    child.send(job);
  });
}
