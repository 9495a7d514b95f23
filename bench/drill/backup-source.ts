/** Where a drill finds backups: a folder as `@athos/postgres/backup` makes it, or a stanza of pgBackRest. */
import { findBackup, restoreBackup } from '@athos/postgres/backup';
import type { PostgresOptions } from '@athos/postgres/launch';

export interface FoundBackup {
  readonly name: string;
  /** The one of several that has it. */
  readonly repository?: number;
  readonly startedAt: Date;
  /** No restore can stop earlier. */
  readonly endedAt: Date;
  readonly bytes: number;
}

export interface Target {
  /** The folder of the copy, which does not exist yet. */
  readonly dataDir: string;
  /** Defaults to everything that was archived. */
  readonly to: Date | undefined;
}

/** How the server of a restored cluster is started. */
export type ServerOptions = Pick<PostgresOptions, 'settings' | 'binDir' | 'env'>;

export interface BackupSource {
  readonly name: string;
  /** The newest complete backup that ended before a time. */
  find(to: Date): FoundBackup | undefined;
  /** Restores the files of a backup. The server with the returned options replays the rest. Throws a one-sentence error. */
  restore(backup: FoundBackup, target: Target): Promise<ServerOptions>;
}

export const folderSource = (repository: string): BackupSource => ({
  name: repository,
  find(to) {
    const found = findBackup(repository, to);
    return found && { ...found, name: found.dir };
  },
  async restore({ name: dir, ...backup }, { dataDir, to }) {
    return { settings: await restoreBackup({ ...backup, dir }, { repository, dataDir, to }) };
  },
});
