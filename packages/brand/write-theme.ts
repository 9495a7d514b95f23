import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { colours } from './src/colours.ts';
import { themeCss } from './src/theme-css.ts';

writeFileSync(join(import.meta.dirname, 'src/theme.css'), themeCss(colours));
