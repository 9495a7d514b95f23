/**
 * The last step of the build: checks the size of the scripts. Staff have a fast network but sometimes old computers, so the sign-in
 * stays small and each screen adds at most half as much again.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finishBuild } from '@athos/app-build/finish-build';

const SIGN_IN_BYTES_MAX = 115_000;
const SCREEN_BYTES_MAX = SIGN_IN_BYTES_MAX + 60_000;
/** The dashboard's screen includes the charts. */
const DASHBOARD_BYTES_MAX = 190_000;

const folder = join(import.meta.dirname, 'dist');
const manifest = JSON.parse(readFileSync(join(folder, 'build-manifest.json'), 'utf8')) as Readonly<
  Record<string, { readonly name?: string; readonly src?: string }>
>;
/** The screens behind the sign-in, each measured with the frame around it. */
const screens = Object.values(manifest).flatMap(({ name, src }) =>
  name !== undefined && src !== undefined && /^src\/features\/.*-screen\.tsx$/.test(src)
    ? [name]
    : [],
);
if (screens.length === 0) throw new Error('The build has no screens behind the sign-in');

finishBuild(folder, [
  { name: "console's sign-in", limitBytes: SIGN_IN_BYTES_MAX, chunks: [] },
  ...screens.map((name) => ({
    name: `console's ${name}`,
    limitBytes: name === 'dashboard-screen' ? DASHBOARD_BYTES_MAX : SCREEN_BYTES_MAX,
    chunks: name === 'invite-screen' ? [name] : ['staff-routes', name],
  })),
]);
