/** A body of the control plane that makes no sense: 400 with this sentence. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
}

export type ControlBody = Record<string, unknown>;

/** Parses a JSON object; an empty body is an empty object. Throws ControlError. */
export function parseControlBody(text: string): ControlBody {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ControlError('The body is not JSON.', { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ControlError('The body is not a JSON object.');
  }
  return { ...value };
}

/** A whole number within bounds (min 0 unless told), or the fallback when absent. */
export function readCount(
  body: ControlBody,
  name: string,
  bounds: { fallback: number; min?: number; max: number },
): number {
  const value = body[name] ?? bounds.fallback;
  const min = bounds.min ?? 0;
  if (!Number.isInteger(value) || Number(value) < min || Number(value) > bounds.max) {
    throw new ControlError(`${name} is not a whole number from ${min} to ${bounds.max}.`);
  }
  return Number(value);
}

/** A text, one of the choices where they are given. */
export function readWord<T extends string>(
  body: ControlBody,
  name: string,
  options: { fallback: T; choices?: readonly T[] },
): T {
  const value = body[name] ?? options.fallback;
  const isAllowed =
    typeof value === 'string' && (options.choices?.some((choice) => choice === value) ?? true);
  if (!isAllowed) {
    throw new ControlError(`${name} is not ${options.choices?.join(' or ') ?? 'a text'}.`);
  }
  return value as T;
}
