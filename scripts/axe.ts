/**
 * `npm run axe`: runs axe on every screen in every state. `npm run test:system` checks only the first state of each
 * screen.
 */
import { runTool } from './check/run-tool.ts';
import { findOrInstallBrowser } from './test/find-browser.ts';

const browserPath = await findOrInstallBrowser();
const { isPassed } = await runTool(
  'playwright',
  ['test', '--config=e2e/playwright.config.ts', '--project=axe', '--reporter=list'],
  { isLive: true, env: { CHROMIUM_PATH: browserPath, AXE_ALL: '1' } },
);
process.exitCode = isPassed ? 0 : 1;
