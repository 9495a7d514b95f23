import { ControlError, readWord } from '../control/control-body.ts';
import type { ControlBody } from '../control/control-body.ts';
import type { Sandbox } from '../sandbox.ts';

/** Ids that a caller requires for its imported objects, because it has already stored them. */
export interface GivenIds {
  /** Notes the id in this field of an item, if there is one. Returns the id that the object will have. */
  take(item: ControlBody, field: string, made: string): string;
  /** Replaces the generated ids by the given ones, also in references from other objects. */
  apply(): void;
}

/** Reads an id that an imported object will have. */
export function readGivenId(item: ControlBody, field: string, prefix: string): string {
  const id = readWord<string>(item, field, { fallback: '' });
  if (new RegExp(`^${prefix}_\\w{1,60}$`).test(id)) return id;
  throw new ControlError(`${field} is not an id that begins with ${prefix}_.`);
}

/** Begins an import of objects. Only rows created from now on are renamed, so the cost does not grow with the store. */
export function beginGivenIds(sandbox: Sandbox): GivenIds {
  const { db } = sandbox.store;
  const lastSeq = (table: 'objects' | 'timers'): number =>
    Number(db.prepare(`select max(seq) as seq from ${table}`).get()?.['seq'] ?? 0);
  const objectSeq = lastSeq('objects');
  const timerSeq = lastSeq('timers');
  const wanted = new Map<string, string>();
  return {
    take: (item, field, made) => {
      if (made === '' || readWord(item, field, { fallback: '' }) === '') return made;
      const id = readGivenId(item, field, made.split('_')[0] ?? '');
      if (sandbox.store.findAny(id) !== undefined) throw new ControlError(`${id} exists already.`);
      wanted.set(made, id);
      return id;
    },
    apply: () => {
      const objects = db.prepare(
        `update objects set id = replace(id, ?2, ?3), body = replace(body, ?2, ?3) where seq > ?1`,
      );
      const timers = db.prepare(
        'update timers set object_id = ?3 where seq > ?1 and object_id = ?2',
      );
      for (const [made, id] of wanted) {
        objects.run(objectSeq, made, id);
        timers.run(timerSeq, made, id);
      }
    },
  };
}
