import pg from 'pg';

export interface KeptConnection {
  /** Returns the open connection to this database, or ends it and opens one. Calls must not overlap. */
  to(databaseUrl: string): Promise<pg.Client>;
  /** Ends the open connection, if there is one. The next call of `to` opens another. */
  end(): Promise<void>;
}

/** Keeps one connection open between calls. It ends with the process. */
export function createKeptConnection(): KeptConnection {
  let kept: { readonly databaseUrl: string; readonly client: pg.Client } | undefined;
  async function end(): Promise<void> {
    const before = kept;
    kept = undefined;
    await before?.client.end();
  }
  return {
    end,
    async to(databaseUrl) {
      if (kept?.databaseUrl === databaseUrl) return kept.client;
      await end();
      const client = new pg.Client({ connectionString: databaseUrl });
      // Tests drop their database, stop its server or end all connections.
      client.on('error', () => {
        if (kept?.client === client) kept = undefined;
      });
      await client.connect();
      kept = { databaseUrl, client };
      return client;
    },
  };
}
