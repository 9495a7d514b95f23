import pg from 'pg';

/**
 * A client that sends all queries of one turn of the event loop together. The driver writes each by itself, and without Nagle's algorithm
 * each is a packet: a transaction of four statements then costs this process four system calls, and wakes the server as often.
 */
export const GatheringClient: typeof pg.Client = class extends pg.Client {
  #isGathering = false;

  override query(...asked: readonly unknown[]): never {
    this.#gather();
    return super.query(...(asked as Parameters<pg.Client['query']>)) as never;
  }

  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const { stream } = this.connection;
    stream.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }
};
