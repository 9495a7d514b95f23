/** A count as all screens write it: `12,480`. */
export const figures = (count: number): string => count.toLocaleString('en-US');
