import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTE_FILES } from './src/gen-routes.ts';

for (const [name, text] of Object.entries(ROUTE_FILES)) {
  writeFileSync(join(import.meta.dirname, 'src/gen', name), text);
}
