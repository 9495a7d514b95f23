/**
 * The last step of the build. At 1 Mbit/s, a typical bar's network, this first page loads in about a second. The code
 * reader alone is four times as large.
 */
import { join } from 'node:path';
import { finishBuild } from '@athos/app-build/finish-build';

finishBuild(join(import.meta.dirname, 'dist'), [
  { name: "scanner's first page", limitBytes: 120_000, chunks: [] },
]);
