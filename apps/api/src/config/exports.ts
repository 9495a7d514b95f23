import { z } from 'zod';
import { topic } from './topic.ts';

export const exportFiles = topic(
  {
    /** The folder of exports, which hold personal data: console and worker alone may read it, and share it. */
    exportDir: ['EXPORT_DIR', z.string().default('data/exports')],
  },
  { build: (values) => values },
);
