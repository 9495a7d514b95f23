/** Query parameters and response of every list of the console. */
import { z } from 'zod';

const LIST_LIMIT_MAX = 100;
const LIST_LIMIT = 25;
/** Rows of a list are counted up to this number. Beyond it the answer says "at least". */
export const LIST_COUNT_MAX = 10_000;

/** The parameters of a list's query besides its filters and its `sort`. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(LIST_LIMIT_MAX).default(LIST_LIMIT),
  /** `next_cursor` of the previous page, for the same filters and the same sort. */
  cursor: z.string().max(600).optional(),
};

const listCount = z
  .object({
    /** Exact, unless `is_at_least`. */
    value: z.int(),
    is_at_least: z.boolean(),
    /** The approximate number of rows, if there are too many to count. */
    estimate: z.int().optional(),
  })
  .meta({ id: 'ListCount' });
export type ListCount = z.infer<typeof listCount>;

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable(), count: listCount });
