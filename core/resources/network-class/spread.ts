import * as z from "zod";

/**
 * The versions of a network or subnet on the DPUs of an overlay. Only objects of overlays have them; a fabric applies
 * a change everywhere at once.
 */
export interface Spread {
  /** The desired version, counted from 1 with each change. */
  wanted: number;
  /** The version that every DPU has; absent before the first. */
  applied?: number;
}

export const spreadSchema = {
  wanted_version: z.int().optional().describe("In an overlay: its current version, from 1."),
  applied_version: z.int().optional().describe("In an overlay: the version that all DPUs have."),
};

/** The versions in the form of an object's status. */
export const spreadVersions = ({ spread }: { spread?: Spread }) =>
  spread && {
    wanted_version: spread.wanted,
    ...(spread.applied !== undefined && { applied_version: spread.applied }),
  };

/** The versions for the API, by path. */
export const spreadShown = {
  "status.wanted_version": ({ spread }: { spread?: Spread }) => spread?.wanted,
  "status.applied_version": ({ spread }: { spread?: Spread }) => spread?.applied,
};
