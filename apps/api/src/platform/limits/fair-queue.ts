/**
 * A queue that its callers share fairly: the widest groups take turns, and so do the members of each group, down to the callers. A caller
 * with a thousand waiting items delays the others by one item.
 */
import type { Caller } from './caller.ts';

interface Share<T> {
  /** The items of a caller, oldest first. Empty for a group. */
  readonly items: T[];
  /** The members of a group by the next part of their path. The first one is next in turn. */
  readonly members: Map<string, Share<T>>;
  /** The number of items in this share and its members. */
  count: number;
}

const emptyShare = <T>(): Share<T> => ({ items: [], members: new Map(), count: 0 });

export class FairQueue<T> {
  readonly #all = emptyShare<T>();

  get size(): number {
    return this.#all.count;
  }

  push(caller: Caller, item: T): void {
    let share = this.#all;
    share.count += 1;
    for (const part of caller) {
      const member = share.members.get(part) ?? emptyShare<T>();
      if (member.count === 0) share.members.set(part, member);
      share = member;
      share.count += 1;
    }
    share.items.push(item);
  }

  /** Removes the next item in turn. Skips callers whose oldest item may not be taken yet. */
  take(mayTake: (item: T) => boolean): T | undefined {
    return takeFrom(this.#all, mayTake);
  }

  /** Removes the newest item of the caller who takes the most room, in the group that takes the most. */
  takeNewestOfFullest(): T | undefined {
    return this.size === 0 ? undefined : takeNewestOfFullest(this.#all);
  }
}

function takeFrom<T>(share: Share<T>, mayTake: (item: T) => boolean): T | undefined {
  const [oldest] = share.items;
  if (oldest !== undefined && mayTake(oldest)) {
    share.items.shift();
    share.count -= 1;
    return oldest;
  }
  for (const [part, member] of share.members) {
    const item = takeFrom(member, mayTake);
    if (item === undefined) continue;
    share.count -= 1;
    // The member that was served moves to the end.
    share.members.delete(part);
    if (member.count > 0) share.members.set(part, member);
    return item;
  }
  return undefined;
}

function takeNewestOfFullest<T>(share: Share<T>): T | undefined {
  share.count -= 1;
  let fullest: [part: string, member: Share<T>] | undefined;
  for (const entry of share.members) {
    // Among equals, the last in turn gives way, because it would wait longest.
    if (entry[1].count >= (fullest?.[1].count ?? 0)) fullest = entry;
  }
  if (fullest === undefined) return share.items.pop();
  const [part, member] = fullest;
  const item = takeNewestOfFullest(member);
  if (member.count === 0) share.members.delete(part);
  return item;
}
