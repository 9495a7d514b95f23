import { existsSync, readFileSync } from 'node:fs';

/** One test of the last run under its final title: that of its groups, the row of a table filled in. */
export interface TestResult {
  readonly title: string;
  readonly file: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
}

/** Of Vitest's JSON report; undefined when there is none. */
export function readVitestResults(file: string): readonly TestResult[] | undefined {
  const report = readJson<{
    testResults: readonly {
      name: string;
      assertionResults: readonly { fullName: string; status: string }[];
    }[];
  }>(file);
  return report?.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({
      title: fullName,
      file: name,
      outcome: status === 'passed' || status === 'failed' ? status : 'skipped',
    })),
  );
}

interface PlaywrightSuite {
  readonly title: string;
  readonly file: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly { title: string; file: string; tests: readonly { status: string }[] }[];
}

/** Of Playwright's JSON report; undefined when there is none. A flaky test failed once: that is a failure here. */
export function readPlaywrightResults(file: string): readonly TestResult[] | undefined {
  const report = readJson<{ suites: readonly PlaywrightSuite[] }>(file);
  return report?.suites.flatMap((suite) => readSuite(suite, ''));
}

function readSuite(suite: PlaywrightSuite, groups: string): readonly TestResult[] {
  const title = suite.title === suite.file ? groups : `${groups}${suite.title} `;
  const own = suite.specs.flatMap((spec) =>
    spec.tests.map(({ status }) => ({
      title: title + spec.title,
      file: `e2e/${spec.file}`,
      outcome: outcomeOf(status),
    })),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => readSuite(inner, title))];
}

function outcomeOf(status: string): TestResult['outcome'] {
  if (status === 'skipped') return 'skipped';
  return status === 'expected' ? 'passed' : 'failed';
}

function readJson<Report>(file: string): Report | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined;
}
