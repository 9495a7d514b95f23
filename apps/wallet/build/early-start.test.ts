import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('has its slots in the page', () => {
  const page = readFileSync(join(import.meta.dirname, '../index.html'), 'utf8');
  expect(page).toMatch(
    /data-app="%app-files%"\s+data-category="%category-files%"\s+data-offer="%offer-files%"\s*>\s+%head-script%\s+<\/script>/,
  );
  expect(page).toContain('<!--critical-style-->');
  expect(page).toContain('<div id="shell">%shell%</div>');
  expect(page).toContain('<div id="root"><div id="splash">%splash%</div></div>');
});
