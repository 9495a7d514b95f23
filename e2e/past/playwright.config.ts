import { defineConfig } from '@playwright/test';
import { ownStart } from '../system/own-start.ts';

/** Stories about movements of earlier days, which no story could wait for. */
export default defineConfig(ownStart('past'));
