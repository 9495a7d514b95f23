import { z } from 'zod';
import { topic } from './topic.ts';

export const exportFiles = topic(
  {
    /** The folder of exports. They hold personal data, so only the console and the worker may read it; both must share it. */
    exportDir: ['EXPORT_DIR', z.string().default('data/exports')],
  },
  { build: (values) => values },
);
