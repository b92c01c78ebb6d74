import { baseUrl } from './day';

let token = '';

/** The token of all later requests. */
export function signIn(accessToken: string): void {
  token = accessToken;
}

/** Sends a request of the generated client. @returns the status, the headers and the parsed body. */
export async function send<T>(path: string, init: RequestInit): Promise<T> {
  const headers = new Headers(init.headers);
  if (token) headers.set('Authorization', `Bearer ${token}`);
  const response = await fetch(baseUrl + path, { ...init, headers });
  const body = await response.text();
  const data: unknown = body === '' ? undefined : JSON.parse(body);
  return { data, status: response.status, headers: response.headers } as T;
}
