import type { ServiceError } from '@app/common';
import { RequestPipe } from '../request.pipe';

export const pipe = new RequestPipe();

/** What the pipe makes of a body. */
// The tests read results of any shape.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export const read = (dto: unknown, body: unknown): Promise<any> =>
  pipe.transform(body, { type: 'body', metatype: dto as never });

/** The error with which the pipe refuses a body. An accepted body fails the test. */
export async function refusal(dto: unknown, body: unknown): Promise<ServiceError> {
  const answer = await read(dto, body).then(
    (request: unknown) => ({ accepted: request }),
    (error: ServiceError) => error,
  );
  expect(answer).toHaveProperty('code');
  return answer as ServiceError;
}
