import { Fragment } from 'react';
import type { ReactNode } from 'react';

/** Marks both ends of a slot's name. No text contains it. */
const SLOT = '\u0001';

/**
 * Replaces a message's parameters with elements, so that translators can move a link within the text:
 * `richText(m.auth_terms_notice, { terms: <TextLink …/>, privacy: <TextLink …/> })`.
 */
export function richText<Slots extends Record<string, ReactNode>>(
  text: (inputs: Record<keyof Slots, string>) => string,
  slots: Slots,
): ReactNode {
  const names = Object.keys(slots);
  const inputs = Object.fromEntries(names.map((name) => [name, `${SLOT}${name}${SLOT}`]));
  const parts = text(inputs as Record<keyof Slots, string>).split(SLOT);
  return parts.map((part, index) => (
    <Fragment key={index}>{index % 2 === 1 ? slots[part] : part}</Fragment>
  ));
}
