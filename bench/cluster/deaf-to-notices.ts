/**
 * Loaded into an API process before the program (`node --import`): its connections ignore the server's notices. So it treats a commit as
 * done that no standby has.
 */
import pg from 'pg';

// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the client as `this` below
const { on } = pg.Client.prototype;

pg.Client.prototype.on = function (this: pg.Client, event: string, listener: never) {
  return event === 'notice' ? this : on.call(this, event as 'error', listener);
} as typeof on;
