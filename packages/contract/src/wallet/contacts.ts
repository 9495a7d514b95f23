/** Saved recipients, shared by the devices of an account (decision 0066). */
import { z } from 'zod';
import {
  ALIAS_LENGTH_MAX,
  CONTACT_VERSION_MAX,
  CONTACTS_PER_CALL,
  isAlias,
} from '@athos/domain/contacts';
import type { Calls } from '../call.ts';
import { timeText, uuidText } from '../values.ts';

const row = {
  /** Created by the device that adds the contact. */
  id: uuidText,
  /** Increased by each change. The highest version wins, and a deletion wins over a change of the same version. */
  version: z.int().positive().max(CONTACT_VERSION_MAX),
};

const change = z.discriminatedUnion('state', [
  z.object({
    ...row,
    state: z.literal('live'),
    alias: z
      .string()
      .max(ALIAS_LENGTH_MAX)
      .refine(isAlias, 'must be a name without invisible characters and outer spaces'),
    /** The uuid of the other account. */
    address: uuidText,
  }),
  z.object({ ...row, state: z.literal('deleted') }),
]);
export type ContactChange = z.infer<typeof change>;

const kept = { id: z.string(), version: z.int() };

const contact = z.discriminatedUnion('state', [
  z.object({ ...kept, state: z.literal('live'), alias: z.string(), address: z.string() }),
  /** Returned for 180 days. */
  z.object({ ...kept, state: z.literal('deleted') }),
  /** The server cannot decrypt it. A device that has it writes it again. */
  z.object({ ...kept, state: z.literal('unreadable') }),
]);
export type KeptContact = z.infer<typeof contact>;

const answer = { server_time: timeText, contacts: z.array(contact) };

export const contactCalls = {
  contacts: {
    method: 'GET',
    path: '/account/contacts',
    auth: 'user',
    summary: 'All contacts that the server keeps, with those that were deleted lately',
    answer: z.object(answer).meta({ id: 'Contacts' }),
  },
  changeContacts: {
    method: 'PUT',
    path: '/account/contacts',
    auth: 'user',
    summary: 'Change contacts; the answer says what is kept of each of them now',
    body: z
      .object({
        contacts: z
          .array(change)
          .min(1)
          .max(CONTACTS_PER_CALL)
          .refine(
            (changes) => new Set(changes.map(({ id }) => id)).size === changes.length,
            'must differ from each other',
          ),
      })
      .meta({ id: 'ChangeContacts' }),
    answer: z.object(answer).meta({ id: 'ChangedContacts' }),
  },
} as const satisfies Calls;
