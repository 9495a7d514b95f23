import { existsSync, readFileSync } from 'node:fs';

/** One test as its runner reported it; the title of a table-driven test has its values filled in. */
export interface TestResult {
  readonly title: string;
  /** The titles of the enclosing groups, outermost first; empty if there are none. */
  readonly group: string;
  readonly file: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed, as the runner said it, with colours and stack. */
  readonly reason?: string | undefined;
}

interface VitestAssertion {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly tags?: readonly string[];
  readonly failureMessages?: readonly string[];
}

interface VitestFile {
  readonly name: string;
  readonly status?: string;
  readonly message?: string;
  readonly assertionResults: readonly VitestAssertion[];
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
  const report = readJson<{ testResults: readonly VitestFile[] }>(file);
  return report?.testResults.flatMap((testFile) => [
    ...testFile.assertionResults.filter(isAsked).map((test): TestResult => ({
      title: test.title,
      group: test.ancestorTitles.join(' '),
      file: testFile.name,
      outcome: isSkipped(test) ? 'skipped' : test.status === 'failed' ? 'failed' : 'passed',
      reason: test.failureMessages?.[0],
    })),
    ...failureOutsideOfTests(testFile),
  ]);
}

/** A file fails without a failed test if it does not load, or if a hook around its tests throws. */
function failureOutsideOfTests(file: VitestFile): readonly TestResult[] {
  const isExplained = file.assertionResults.some(({ status }) => status === 'failed');
  if (file.status !== 'failed' || isExplained) return [];
  const title = 'the file itself or a hook in it';
  return [{ title, group: '', file: file.name, outcome: 'failed', reason: file.message }];
}

interface PlaywrightSuite {
  readonly title: string;
  readonly file: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    title: string;
    file: string;
    tests: readonly PlaywrightTest[];
  }[];
}

interface PlaywrightTest {
  readonly status: string;
  readonly results?: readonly { errors?: readonly { message?: string }[] }[];
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
    spec.tests.map(({ status, results }) => ({
      title: spec.title,
      group,
      file: `e2e/${spec.file}`,
      outcome: outcomeOf(status),
      reason: results?.flatMap(({ errors }) => errors ?? [])[0]?.message,
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
