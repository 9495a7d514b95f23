/** Loaded into an API process before the program (`node --import`): it takes turns with and without counting and observing anything. */
import { Counter, Histogram } from 'prom-client';
import { text } from 'node:stream/consumers';
import { get } from 'node:http';
import { addToggle } from './take-turns.ts';

let isOn = true;

/** Makes a method do nothing while metrics are off. prom-client does not declare these, to which each metric's `inc` and `observe` lead. */
function callWhileOn(owner: object, name: 'incWithoutExemplar' | 'observeWithoutExemplar'): void {
  const method = Reflect.get(owner, name) as () => unknown;
  const whileOn = new Proxy(method, {
    apply: (_, self, words) => (isOn ? Reflect.apply(method, self, words) : undefined),
  });
  Reflect.set(owner, name, whileOn);
}
callWhileOn(Counter.prototype, 'incWithoutExemplar');
callWhileOn(Histogram.prototype, 'observeWithoutExemplar');

/** Every 5 s with metrics; Prometheus reads them every 15 s. */
const TURNS_PER_SCRAPE = 20;
let turnCount = 0;

addToggle({
  switchTo: (next) => (isOn = next),
  async finish() {
    if (++turnCount % TURNS_PER_SCRAPE === 0) await scrape();
  },
});

const scrape = (): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const url = `http://127.0.0.1:${process.env['METRICS_PORT']}/metrics`;
    get(url, (response) => resolve(text(response))).once('error', reject);
  });
