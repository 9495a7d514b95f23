export interface VenueDraft {
  readonly name: string;
  readonly address: string;
  /** Whether the demo's scanner user is staff there. */
  readonly hasStaff: boolean;
}

/** One of them has no staff, so that the refusal of a foreign venue can be tried. */
export const demoVenues: readonly VenueDraft[] = [
  { name: 'Harbour Bar', address: '12 Harbour Row', hasStaff: true },
  { name: 'The Long Room', address: '3 Mill Yard', hasStaff: true },
  { name: 'Northside Circuit', address: 'Gate 4, Northside', hasStaff: false },
];
