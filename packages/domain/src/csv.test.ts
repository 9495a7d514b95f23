import { expect, it } from 'vitest';
import { csvFile } from './csv.ts';

const lineOf = (...cells: string[]): string => csvFile([], [cells]).slice('\ufeff\r\n'.length);

it('begins with a byte order mark and ends each line with CR and LF', () => {
  expect(csvFile(['a', 'b'], [['1', 'ü']])).toBe('\ufeffa,b\r\n1,ü\r\n');
});

it.each([
  ['=1+1', "'=1+1"],
  ['+49 30', "'+49 30"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\uff1d1+1', "'\uff1d1+1"],
  ["'=1", "''=1"],
  ['\r=1', '"\'\r=1"'],
  ['\n=1', '"\'\n=1"'],
  ['=HYPERLINK("http://evil.example","a")', '"\'=HYPERLINK(""http://evil.example"",""a"")"'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['line\r\n=1', '"line\r\n=1"'],
  ['-12.50', '-12.50'],
  ['it is = 1', 'it is = 1'],
  ['', ''],
])('[W-143] writes %j so that no spreadsheet calculates it', (text, written) => {
  expect(lineOf(text)).toBe(`${written}\r\n`);
  expect(lineOf('a', text)).toBe(`a,${written}\r\n`);
});
