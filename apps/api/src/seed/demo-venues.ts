export interface VenueDraft {
  readonly name: string;
  readonly address: string;
  /** Whether the demo's member of staff scans there. */
  readonly hasStaff: boolean;
}

/** One without our staff, so that a foreign venue can be seen. */
export const demoVenues: readonly VenueDraft[] = [
  { name: 'Harbour Bar', address: '12 Harbour Row', hasStaff: true },
  { name: 'The Long Room', address: '3 Mill Yard', hasStaff: true },
  { name: 'Northside Circuit', address: 'Gate 4, Northside', hasStaff: false },
];
