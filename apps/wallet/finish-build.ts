/** The last step of the build. The budgets are those of decision 0014. */
import { join } from 'node:path';
import { finishBuild } from '@athos/app-build/finish-build';

finishBuild(join(import.meta.dirname, 'dist'), [
  { name: 'first signed-out page', limitBytes: 97_000, chunks: [] },
  // build/chunks.ts puts everything else that home loads into one chunk.
  { name: 'home', limitBytes: 136_000, chunks: ['app'] },
  // The passkey offer and its library, which are fetched once the form is drawn.
  {
    name: 'sign-in, later part',
    limitBytes: 5_000,
    chunks: ['passkey-offer'],
    after: ['sign-in-screen'],
  },
]);
