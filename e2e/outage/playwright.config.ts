import { defineConfig } from '@playwright/test';
import { ownStart } from '../system/own-start.ts';

/** The story in which the server stops, which would disturb every other story. */
export default defineConfig(ownStart('outage'));
