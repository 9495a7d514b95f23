/** Logs to the browser's console. Facts never contain a token, a password or an address. */
export function log(event: string, facts: Record<string, unknown>): void {
  console.warn(event, facts);
}

export const logScreenFailure = (error: unknown): void =>
  log('screen_failed', { error: String(error) });
