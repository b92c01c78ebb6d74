/** See chromium.js: plain JavaScript, since it also runs by itself. */
export function chromium(): { executablePath: string; env: Record<string, string> } | undefined;
