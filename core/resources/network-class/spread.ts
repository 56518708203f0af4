import * as z from "zod";

/**
 * What the ends of an overlay, the DPUs of servers, are to have of a network or a subnet. Only objects of overlays have
 * one: elsewhere a fabric has all of an object at once.
 */
export interface Spread {
  /** Counts the changes, from 1. */
  wanted: number;
  /** The version that every end has; absent before the first. */
  applied?: number;
}

export const spreadSchema = {
  wanted_version: z
    .int()
    .optional()
    .describe("In an overlay: counts its changes for the ends, from 1."),
  applied_version: z.int().optional().describe("In an overlay: the version that every end has."),
};

/** The versions of an object as its status has them. */
export const versionsOf = ({ spread }: { spread?: Spread }) =>
  spread && {
    wanted_version: spread.wanted,
    ...(spread.applied !== undefined && { applied_version: spread.applied }),
  };

/** The values that the API shows of it, by path. */
export const spreadShown = {
  "status.wanted_version": ({ spread }: { spread?: Spread }) => spread?.wanted,
  "status.applied_version": ({ spread }: { spread?: Spread }) => spread?.applied,
};
