/** The last step of the build. At 1 Mbit/s, a bar's network, this first page takes about a second; the code reader alone weighs four times as much. */
import { join } from 'node:path';
import { finishBuild } from '@athos/app-build/finish-build';

finishBuild(join(import.meta.dirname, 'dist'), [
  { name: "scanner's first page", limitBytes: 120_000, chunks: [] },
]);
