import { defineConfig } from '@playwright/test';
import { ownStart } from '../system/own-start.ts';

/** The story that begins with an empty database, on its own production start (decision 0038). */
export default defineConfig(ownStart('rehearsal'));
