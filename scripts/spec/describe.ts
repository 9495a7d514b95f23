import type { RowState, RowVerdict, SpecProof } from './prove.ts';

/** The summary line printed at the end of a test command. */
export function describeInOneLine(proof: SpecProof): string {
  const { length: faultCount } = proof.faults;
  const faults = faultCount === 0 ? '' : `, ${faultCount} ${faultCount === 1 ? 'fault' : 'faults'}`;
  return `spec: ${describeCounts(proof.verdicts)}${faults}`;
}

/** The full report of `npm run spec`: each list by section, then every unproven row, then the faults. */
export function describeProof(proof: SpecProof): readonly string[] {
  return [
    ...[...Map.groupBy(proof.verdicts, ({ row }) => row.list)].flatMap(describeList),
    ...listRows(proof, 'failing'),
    ...listRows(proof, 'not cited'),
    ...listRows(proof, 'untestable'),
    ...(proof.faults.length === 0 ? [] : ['', 'Faults:', ...proof.faults.map((one) => `  ${one}`)]),
    '',
    describeInOneLine(proof),
  ];
}

function describeList([list, verdicts]: [string, RowVerdict[]]): readonly string[] {
  if (verdicts.every(({ state }) => state === 'not due')) {
    return [`${list}: ${describeCounts(verdicts)}`];
  }
  const sections = Map.groupBy(verdicts, ({ row }) => row.section);
  return [
    `${list}:`,
    ...[...sections].map(
      ([section, ofSection]) => `  ${section.padEnd(3)} ${describeCounts(ofSection)}`,
    ),
  ];
}

function describeCounts(verdicts: readonly RowVerdict[]): string {
  const count = (state: RowState) => verdicts.filter((verdict) => verdict.state === state).length;
  const where = (state: RowState, label: string) => {
    const found = count(state);
    return found === 0 ? [] : [`${found} ${label}`];
  };
  if (count('not due') === verdicts.length) return `${verdicts.length} not due`;
  return [
    `${count('proven')} proven`,
    `${count('failing')} failing`,
    `${count('not cited')} not cited`,
    ...where('untestable', 'untestable'),
    ...where('exempt', 'later or rules'),
    ...where('not due', 'not due'),
  ].join(', ');
}

function listRows(proof: SpecProof, state: RowState): readonly string[] {
  const verdicts = proof.verdicts.filter((verdict) => verdict.state === state);
  if (verdicts.length === 0) return [];
  const rows = verdicts.flatMap(({ row, why }) => [
    `  ${row.id}  ${row.where}: ${row.statement}`,
    ...why.map((line) => `         ${line}`),
  ]);
  return ['', `${state[0]?.toUpperCase()}${state.slice(1)}:`, ...rows];
}
