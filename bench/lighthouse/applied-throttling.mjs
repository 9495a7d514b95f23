/**
 * Paints and layout shift of a page under throttling that the browser really applies: a mid-range phone on slow 4G or 3G, with nothing
 * cached and no service worker. Lighthouse only computes the times of such a phone.
 */

/** `waitMinMs`: longer than the time during which only the page's own shell may be painted. */
const NETWORKS = {
  slow4g: { download: 1_600_000 / 8, upload: 750_000 / 8, latency: 150, waitMinMs: 5000 },
  slow3g: { download: 400_000 / 8, upload: 400_000 / 8, latency: 400, waitMinMs: 12_000 },
};
const CPU_SLOWDOWN = 4;
/** The phone that Lighthouse emulates. */
const PHONE = { width: 412, height: 823, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
/** A paint counts as the largest one when no larger one has followed for this long. */
const QUIET_MS = 3000;
const WAIT_MAX_MS = 60_000;

/** Runs in the page before its first script. */
function watchPaints() {
  window.paints = [];
  window.shift = 0;
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, startTime, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      window.shift += value;
      const moved = sources.map(({ node }) => node?.className || node?.nodeName).slice(0, 3);
      window.shifts.push(`${value.toFixed(4)} at ${Math.round(startTime)} ms: ${moved.join(', ')}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { startTime, size, element, url } of list.getEntries()) {
      const what = url ? new URL(url).pathname : (element?.tagName ?? '').toLowerCase();
      window.paints.push({ ms: startTime, size, what });
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true });
}

/** True once the page has been quiet for long enough. */
const isQuiet = (quietMs, minMs) => {
  const last = window.paints.at(-1)?.ms ?? Infinity;
  return performance.now() > Math.max(minMs, last + quietMs);
};

/**
 * Opens `url` in a separate browser profile, signed in with `token` if there is one. `shift` is the sum of all layout shifts, which is
 * never less than Lighthouse's value.
 */
export async function measureApplied(browser, { url, token, network = 'slow4g' }) {
  const profile = await browser.createBrowserContext();
  try {
    const tab = await profile.newPage();
    if (token !== undefined) {
      await tab.goto(new URL('/robots.txt', url).href);
      await tab.evaluate((jwt) => localStorage.setItem('jwt', jwt), token);
    }
    await tab.setViewport(PHONE);
    await tab.setBypassServiceWorker(true);
    const { waitMinMs, ...conditions } = NETWORKS[network];
    await tab.emulateNetworkConditions(conditions);
    await tab.emulateCPUThrottling(CPU_SLOWDOWN);
    await tab.evaluateOnNewDocument(watchPaints);
    await tab.goto(url, { waitUntil: 'domcontentloaded', timeout: WAIT_MAX_MS });
    await tab.waitForFunction(isQuiet, { timeout: WAIT_MAX_MS }, QUIET_MS, waitMinMs);
    return await tab.evaluate(() => ({
      firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      shift: window.shift,
      shifts: window.shifts,
      ...window.paints.at(-1),
    }));
  } finally {
    await profile.close();
  }
}
