import { defineConfig } from '@playwright/test';
import { ownStart } from '../system/own-start.ts';

/** The story that begins with an empty database, on a production start of its own (decision 0038). */
export default defineConfig(ownStart('rehearsal'));
