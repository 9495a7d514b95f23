import { existsSync, readFileSync } from 'node:fs';

/** One test as its runner reported it; the title of a table-driven test has its values filled in. */
export interface TestResult {
  readonly title: string;
  /** The titles of the enclosing groups, outermost first; empty if there are none. */
  readonly group: string;
  readonly file: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
}

interface VitestAssertion {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly tags?: readonly string[];
}

/** The tag of tests that `npm test` leaves to `npm run test:system`. */
export const LONG = 'long';
const isLong = ({ tags }: VitestAssertion): boolean => tags?.includes(LONG) === true;
const isSkipped = ({ status }: VitestAssertion): boolean =>
  status !== 'passed' && status !== 'failed';

/** Reads Vitest's JSON report without the long tests that were left out; returns undefined if the file does not exist. */
export const readVitestResults = (file: string): readonly TestResult[] | undefined =>
  readVitest(file, (test) => !(isSkipped(test) && isLong(test)));

/** Reads the JSON report of a run that left out all but the long tests. */
export const readLongResults = (file: string): readonly TestResult[] | undefined =>
  readVitest(file, isLong);

function readVitest(
  file: string,
  isAsked: (test: VitestAssertion) => boolean,
): readonly TestResult[] | undefined {
  const report = readJson<{
    testResults: readonly { name: string; assertionResults: readonly VitestAssertion[] }[];
  }>(file);
  return report?.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(isAsked).map((test) => ({
      title: test.title,
      group: test.ancestorTitles.join(' '),
      file: name,
      outcome: isSkipped(test) ? 'skipped' : test.status === 'failed' ? 'failed' : 'passed',
    })),
  );
}

interface PlaywrightSuite {
  readonly title: string;
  readonly file: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly { title: string; file: string; tests: readonly { status: string }[] }[];
}

/** Reads Playwright's JSON report; returns undefined if the file does not exist. A flaky test counts as failed. */
export function readPlaywrightResults(file: string): readonly TestResult[] | undefined {
  const report = readJson<{ suites: readonly PlaywrightSuite[] }>(file);
  return report?.suites.flatMap((suite) => readSuite(suite, ''));
}

function readSuite(suite: PlaywrightSuite, outerGroup: string): readonly TestResult[] {
  const isFile = suite.title === suite.file;
  const group = isFile ? outerGroup : `${outerGroup} ${suite.title}`.trim();
  const own = suite.specs.flatMap((spec) =>
    spec.tests.map(({ status }) => ({
      title: spec.title,
      group,
      file: `e2e/${spec.file}`,
      outcome: outcomeOf(status),
    })),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => readSuite(inner, group))];
}

function outcomeOf(status: string): TestResult['outcome'] {
  if (status === 'skipped') return 'skipped';
  return status === 'expected' ? 'passed' : 'failed';
}

function readJson<Report>(file: string): Report | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined;
}
