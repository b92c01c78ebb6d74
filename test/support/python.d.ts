/** See python.js: plain JavaScript, since it also runs by itself. */
export function python(): { executablePath: string; env: Record<string, string> } | undefined;
