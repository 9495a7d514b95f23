import { describe, expect, it } from 'vitest';
import { JournalText } from './journal-text.ts';

const line = (numbers: readonly bigint[]): string =>
  [...numbers, 'a key', 0, 1].map(String).join('|');

describe('the journal as text', () => {
  it('reads every integer that PostgreSQL can store exactly', () => {
    const edges = [0n, 1n, 2n ** 32n, 10n ** 15n - 1n, 10n ** 15n, 2n ** 53n + 1n, 2n ** 63n - 1n];
    const numbers = [...edges, ...edges.map((edge) => -edge), -(2n ** 63n), -(2n ** 32n) - 1n];
    const [first, second] = [numbers.slice(0, 8), numbers.slice(8)];
    const { rows } = new JournalText([line(first), line(second)].join('\n')).take(2);
    expect(rows.map((row) => Object.values(row))).toEqual([first, second]);
  });

  it('gives the lines of the rows that it takes, and no more rows than there are', () => {
    const lines = [1n, 2n, 3n].map((id) => line([id, 8n, 16n, 1n, -1n, 1n, 0n, 0n]));
    const journal = new JournalText(lines.join('\n'));
    const ids = (count: number) => {
      const { rows, text } = journal.take(count);
      return { ids: rows.map(({ id }) => id), text };
    };
    expect(ids(0)).toEqual({ ids: [], text: '' });
    expect(ids(2)).toEqual({ ids: [1n, 2n], text: lines.slice(0, 2).join('\n') });
    expect(ids(9)).toEqual({ ids: [3n], text: lines[2] });
    expect(ids(9)).toEqual({ ids: [], text: '' });
    expect(new JournalText('').take(1)).toEqual({ rows: [], text: '' });
  });
});
