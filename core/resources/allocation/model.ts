import * as z from "zod";
import type { StoredObject } from "../../kernel/object/object.ts";

/** Hosts that are reserved for a tenant: so many of one type, or of an instance type. */

/** More are reserved in several allocations. */
const mostReserved = 1000;

export const reservedSchema = z
  .int()
  .min(1)
  .max(mostReserved)
  .describe("How many hosts are reserved: those that its orders hold and those that are kept.");

export interface AllocationSpec {
  /** Name of the host type; exactly one of this and `instance_type`. */
  host_type?: string;
  instance_type?: string;
  /** Id of the site that the hosts are to be at; any without one. */
  site?: string;
  reserved: number;
}

/** `host_types` are those whose hosts are kept: with an instance type those that matched it when it was made. */
export type Allocation = StoredObject<"allocation", AllocationSpec, Record<string, never>> & {
  host_types: string[];
};

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    allocation: Allocation;
  }
}
