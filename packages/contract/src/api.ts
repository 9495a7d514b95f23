/** Every call of the API by name, with the types of its request and response. */
import type { z } from 'zod';
import { scannerCalls } from './scanner/calls.ts';
import { walletCalls } from './wallet/calls.ts';

export const api = { ...walletCalls, ...scannerCalls } as const;

type Api = typeof api;
export type CallName = keyof Api;

type InputOf<Name extends CallName, Part extends string> =
  Api[Name] extends Record<Part, infer Schema>
    ? Schema extends z.ZodType
      ? z.input<Schema>
      : undefined
    : undefined;

export type BodyOf<Name extends CallName> = InputOf<Name, 'body'>;
export type QueryOf<Name extends CallName> = InputOf<Name, 'query'>;
export type ParamsOf<Name extends CallName> = InputOf<Name, 'params'>;
export type AnswerOf<Name extends CallName> = z.output<Api[Name]['answer']>;

type NamesWith<Fact> = { [Name in CallName]: Api[Name] extends Fact ? Name : never }[CallName];
/** Calls that require an Idempotency-Key. */
export type KeyedCallName = NamesWith<{ readonly keyed: true }>;
/** Calls that read an X-Device-Id. */
export type DeviceCallName = NamesWith<{ readonly device: true }>;
/** Calls that respond with a stream of events. */
export type StreamName = NamesWith<{ readonly stream: true }>;
