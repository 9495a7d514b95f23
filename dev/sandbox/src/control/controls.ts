import type { Store } from '../store.ts';

type FaultPhase = 'before' | 'during' | 'after';

/** One planned fault for the next matching requests. */
export interface Fault {
  /** Method and path, `*` for any run of letters: `POST /v1/payment_intents*`. */
  match: string;
  action: 'error' | 'drop' | 'delay';
  /**
   * before: nothing is done. during: done, rolled back, and the error is kept under the key.
   * after: done and committed, only the answer is lost.
   */
  phase: FaultPhase;
  status: number;
  delayMs: number;
  count: number;
}

export interface WebhookControls {
  delayMs: number;
  /** The next N deliveries are lost; -1 all. The event stays in the list. */
  dropCount: number;
  /** The next N events are never made; -1 all. */
  loseCount: number;
  /** How often each is sent. */
  copies: number;
  order: 'as_made' | 'reversed' | 'random';
  /** Under another order than as_made: how long events are collected first. */
  windowMs: number;
}

/** The control plane's memory. It survives a restart, so that crash tests keep their faults. */
export interface Controls {
  latencyMs: number;
  faults: Fault[];
  webhooks: WebhookControls;
  save(): void;
  reset(): void;
}

const settingName = 'controls';
type Values = Pick<Controls, 'latencyMs' | 'faults' | 'webhooks'>;

function createDefaults(): Values {
  return {
    latencyMs: 0,
    faults: [],
    webhooks: {
      delayMs: 0,
      dropCount: 0,
      loseCount: 0,
      copies: 1,
      order: 'as_made',
      windowMs: 500,
    },
  };
}

export function createControls(store: Store): Controls {
  const saved = store.readSetting(settingName);
  const controls: Controls = {
    ...createDefaults(),
    ...(saved === undefined ? {} : JSON.parse(saved)),
    save: () => {
      const { latencyMs, faults, webhooks } = controls;
      store.writeSetting(settingName, JSON.stringify({ latencyMs, faults, webhooks }));
    },
    reset: () => {
      Object.assign(controls, createDefaults());
      controls.save();
    },
  };
  return controls;
}

/** Takes the first planned fault that fits the request, and counts it down. */
export function takeFault(controls: Controls, method: string, path: string): Fault | undefined {
  const target = `${method} ${path}`;
  const fault = controls.faults.find((candidate) => matches(candidate.match, target));
  if (fault === undefined) return undefined;
  fault.count -= 1;
  if (fault.count <= 0) controls.faults.splice(controls.faults.indexOf(fault), 1);
  controls.save();
  return fault;
}

function matches(pattern: string, target: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(target);
}

/** Counts one use of a counter that may be endless (-1). */
export function takeOne(webhooks: WebhookControls, counter: 'dropCount' | 'loseCount'): boolean {
  if (webhooks[counter] === 0) return false;
  if (webhooks[counter] > 0) webhooks[counter] -= 1;
  return true;
}
