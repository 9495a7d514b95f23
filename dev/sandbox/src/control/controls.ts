import type { Store } from '../store.ts';

type FaultPhase = 'before' | 'during' | 'torn' | 'after';

/** A planned fault for the next matching requests. */
export interface Fault {
  /** Method and path; `*` matches any characters: `POST /v1/payment_intents*`. */
  match: string;
  action: 'error' | 'drop' | 'delay';
  /**
   * `before`: the request is not executed. `during`: it is executed and rolled back, and the error is stored under
   * the key. `torn`: it is executed and committed, and the error is stored under the key all the same. `after`: it is
   * executed and committed; only the response is lost.
   */
  phase: FaultPhase;
  status: number;
  delayMs: number;
  count: number;
}

export interface WebhookControls {
  delayMs: number;
  /** The event types that drop and lose apply to; `*` matches any characters. */
  match: string;
  /** Drop the next N deliveries, or all if -1. Their events stay listed. */
  dropCount: number;
  /** Do not create the next N events, or any if -1. */
  loseCount: number;
  /** How many times each event is sent. */
  copies: number;
  order: 'as_made' | 'reversed' | 'random';
  /** How long events are collected before they are reordered; unused for `as_made`. */
  windowMs: number;
}

/** The fees of disputes, in the currency's smallest unit. The provider changes its fees, so callers must read them. */
export interface DisputeFees {
  /** Taken with each withdrawal. */
  opened: number;
  /** Taken when a chargeback is answered. */
  countered: number;
  /** Given back with each reinstatement. */
  returned: number;
}

/** The state of the control plane. It survives restarts, so that crash tests keep their faults. */
export interface Controls {
  latencyMs: number;
  faults: Fault[];
  webhooks: WebhookControls;
  disputeFees: DisputeFees;
  save(): void;
  reset(): void;
}

const settingName = 'controls';
type Values = Pick<Controls, 'latencyMs' | 'faults' | 'webhooks' | 'disputeFees'>;

function createDefaults(): Values {
  return {
    latencyMs: 0,
    faults: [],
    webhooks: {
      delayMs: 0,
      match: '*',
      dropCount: 0,
      loseCount: 0,
      copies: 1,
      order: 'as_made',
      windowMs: 500,
    },
    disputeFees: { opened: 1500, countered: 0, returned: 0 },
  };
}

export function createControls(store: Store): Controls {
  const saved: Partial<Values> = JSON.parse(store.readSetting(settingName) ?? '{}');
  const defaults = createDefaults();
  const controls: Controls = {
    ...defaults,
    ...saved,
    // An older folder lacks the newer settings.
    webhooks: { ...defaults.webhooks, ...saved.webhooks },
    save: () => {
      const { latencyMs, faults, webhooks, disputeFees } = controls;
      const values: Values = { latencyMs, faults, webhooks, disputeFees };
      store.writeSetting(settingName, JSON.stringify(values));
    },
    reset: () => {
      Object.assign(controls, createDefaults());
      controls.save();
    },
  };
  return controls;
}

/** Returns the first planned fault that matches the request, and decrements its count. */
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

/** Decrements a counter that may be unlimited (-1); false if it is used up, or for other types of events. */
export function takeOne(
  webhooks: WebhookControls,
  counter: 'dropCount' | 'loseCount',
  type: string,
): boolean {
  if (webhooks[counter] === 0 || !matches(webhooks.match, type)) return false;
  if (webhooks[counter] > 0) webhooks[counter] -= 1;
  return true;
}
