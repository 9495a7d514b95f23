import { describe, expect, it } from 'vitest';
import { newContractSteps } from './release-before.ts';

describe('the schema that two releases share', () => {
  it('lacks the contract steps that the release before does not have', () => {
    const theirs = ['apps/api/migrations/0001_a.sql', 'apps/api/migrations/0002_b.contract.sql'];
    const ours = ['0001_a.sql', '0002_b.contract.sql', '0003_c.sql', '0004_d.contract.sql'];
    expect(newContractSteps(ours, theirs)).toEqual(['0004_d.contract.sql']);
  });
});
