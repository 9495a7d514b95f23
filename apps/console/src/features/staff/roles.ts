import {
  BUILT_IN_GRANTS,
  BUILT_IN_ROLES,
  type Mark,
  type Permission,
} from '@athos/contract/console/permissions';
import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../../api/call.ts';

export type Role = AdminAnswer<'roleList'>['items'][number];

export const MARK_WORDS: Readonly<Record<Mark, () => string>> = {
  '●': m.console_mark_may,
  '◐': m.console_mark_within,
  '✔': m.console_mark_decides,
  '◐✔': m.console_mark_both,
};

/** The marks that some built-in role has for a permission; other marks have no meaning there. */
export const marksOf = (permission: Permission): readonly Mark[] => [
  ...new Set(BUILT_IN_ROLES.flatMap((role) => BUILT_IN_GRANTS[role][permission] ?? [])),
];
