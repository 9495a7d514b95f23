import type { StaffState } from '@athos/contract/console/people';
import { m } from '@athos/messages/messages';
import type { Tone } from '../../kit/badge.tsx';

export const STATE_TITLES: Readonly<Record<StaffState, () => string>> = {
  invited: m.console_staff_invited,
  active: m.console_staff_active,
  suspended: m.console_staff_suspended,
  left: m.console_staff_left,
};

export const STATE_TONES: Readonly<Record<StaffState, Tone>> = {
  invited: 'info',
  active: 'success',
  suspended: 'danger',
  left: 'neutral',
};

/** The options of a choice, from a record of titles. */
export const optionsOf = (titles: Readonly<Record<string, () => string>>) =>
  Object.entries(titles).map(([value, title]) => ({ value, label: title() }));
