import type { RowState, RowVerdict, SpecProof } from './prove.ts';

/** One line for the end of `npm test`. */
export function describeInOneLine(proof: SpecProof): string {
  const { length: faultCount } = proof.faults;
  const faults = faultCount === 0 ? '' : `, ${faultCount} ${faultCount === 1 ? 'fault' : 'faults'}`;
  return `spec: ${describeCounts(proof.verdicts)}${faults}`;
}

/** The whole report of `npm run spec`: a line for each section, then every row that is not proven, then the faults. */
export function describeProof(proof: SpecProof): readonly string[] {
  const sections = [...new Set(proof.verdicts.map(({ row }) => row.section))];
  const ofSection = (section: string) =>
    proof.verdicts.filter(({ row }) => row.section === section);
  return [
    ...sections.map((section) => `${section.padEnd(3)} ${describeCounts(ofSection(section))}`),
    ...listRows(proof, 'failing'),
    ...listRows(proof, 'not cited'),
    ...listRows(proof, 'untestable'),
    ...(proof.faults.length === 0 ? [] : ['', 'Faults:', ...proof.faults.map((one) => `  ${one}`)]),
    '',
    describeInOneLine(proof),
  ];
}

function describeCounts(verdicts: readonly RowVerdict[]): string {
  const count = (state: RowState) => verdicts.filter((verdict) => verdict.state === state).length;
  const always = `${count('proven')} proven, ${count('failing')} failing, ${count('not cited')} not cited`;
  const untestable = count('untestable') === 0 ? '' : `, ${count('untestable')} untestable`;
  const exempt = count('exempt') === 0 ? '' : `, ${count('exempt')} later or rules`;
  return always + untestable + exempt;
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
