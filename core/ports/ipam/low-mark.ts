import * as z from "zod";

/** When a pool counts as low. */

/** The default low mark, as a share of the pool. */
const lowShare = 0.2;

/** The low mark in the settings of a pool. `what` names its numbers. */
export const lowMarkSchema = (what: string) =>
  z
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe(`With fewer free ${what} the pool is low; a fifth of all unless said.`);

/** Whether a pool of this size is low with so many free numbers. */
export const isLowWith = (
  free: number,
  size: number,
  lowMark = Math.ceil(size * lowShare),
): boolean => free < lowMark;
