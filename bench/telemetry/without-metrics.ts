/** Loaded into an API process before the program (`node --import`): nothing is counted or observed. The cost of metrics is compared with this. */
import { Counter, Histogram } from 'prom-client';

const doNothing = (): undefined => undefined;
Counter.prototype.inc = doNothing;
Histogram.prototype.observe = doNothing;
