/** Run by the build, for the budgets of issue 2 section 5. */
import { join } from 'node:path';
import { finishBuild } from '@athos/app-build/finish-build';

finishBuild(join(import.meta.dirname, 'dist'), [
  { name: 'first signed-out page', limitBytes: 110_000, entries: [] },
  {
    name: 'home',
    limitBytes: 150_000,
    // What these load beside themselves is one file (build/chunks.ts).
    entries: ['src/routes/app-layout.tsx', 'src/features/home/home-screen.tsx'],
  },
]);
