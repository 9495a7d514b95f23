/** Logs a named event with its facts. Never receives a token or a secret. */
export type NativeLog = (event: string, facts: Record<string, unknown>) => void;
