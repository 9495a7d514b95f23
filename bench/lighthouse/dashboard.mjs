/** The console's dashboard on a desktop, as the demo's owner sees it with the demo's history. Its targets are those of decision 0034. */
const LEAST = { performance: 95, accessibility: 100 };
/** A hundredth of the screen, which nobody notices. */
const SHIFT_MAX = 0.01;

async function readCode(mailbox, email) {
  const answer = await fetch(`${mailbox}/api/codes`);
  const found = (await answer.json()).find(({ account }) => account === email);
  if (found === undefined) throw new Error(`the mailbox shows no code of ${email}`);
  return found.code;
}

/** Signs the browser in by its cookie. */
async function signInStaff(browser, { console: consoleUrl, mailbox, demoStaff }) {
  const { email, password } = demoStaff.find(({ role }) => role === 'provider_owner');
  const tab = await browser.newPage();
  await tab.goto(consoleUrl);
  const status = await tab.evaluate(
    async (body) => {
      const answer = await fetch('/api/admin/sign-in', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-console': '1' },
        body: JSON.stringify(body),
      });
      return answer.status;
    },
    { email, password, code: await readCode(mailbox, email) },
  );
  await tab.close();
  if (status !== 200) throw new Error(`the demo's owner could not sign in: ${status}`);
}

/** Returns rows for a table: the medians of `roundCount` rounds with their targets. */
export async function measureDashboard(
  { lighthouse, browser, system },
  { roundCount, loadWaitMaxMs },
) {
  const { default: desktop } = await import('lighthouse/core/config/desktop-config.js');
  await signInStaff(browser, system);
  const rounds = [];
  for (let round = 0; round < roundCount; round += 1) {
    const { lhr } = await lighthouse(
      system.console,
      {
        port: Number(new URL(browser.wsEndpoint()).port),
        disableStorageReset: true,
        logLevel: 'error',
        maxWaitForLoad: loadWaitMaxMs,
        onlyCategories: Object.keys(LEAST),
      },
      desktop,
    );
    if (!lhr.finalDisplayedUrl.startsWith(system.console)) {
      throw new Error(`the dashboard led to ${lhr.finalDisplayedUrl}`);
    }
    const faults = Object.values(lhr.audits)
      .filter(({ score, scoreDisplayMode }) => scoreDisplayMode === 'binary' && score === 0)
      .map(({ id }) => id);
    if (faults.length > 0) console.log(`dashboard: ${faults.join(', ')}`);
    rounds.push(lhr);
  }
  const scored = Object.entries(LEAST).map(([name, least]) => {
    const scores = rounds.map(({ categories }) => Math.round((categories[name].score ?? 0) * 100));
    const median = scores.toSorted((one, other) => one - other)[Math.floor(scores.length / 2)];
    return {
      page: 'dashboard, desktop',
      measure: name,
      median,
      target: `>= ${least}`,
      holds: median >= least,
    };
  });
  const shifts = rounds.map(({ audits }) => audits['cumulative-layout-shift'].numericValue);
  const shift = Math.max(...shifts);
  return [
    ...scored,
    {
      page: 'dashboard, desktop',
      measure: 'layout shift, worst',
      median: Math.round(shift * 1000) / 1000,
      target: `<= ${SHIFT_MAX}`,
      holds: shift <= SHIFT_MAX,
    },
  ];
}
