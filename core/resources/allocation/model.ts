import * as z from "zod";
import type { StoredObject } from "../../kernel/object/object.ts";

/** A number of hosts of one host type, or of one instance type, that are reserved for a tenant. */

/** The limit for one allocation; several can reserve more. */
const mostReserved = 1000;

export const reservedSchema = z
  .int()
  .min(1)
  .max(mostReserved)
  .describe("Number of reserved hosts: those in use by its orders, and free ones.");

export interface AllocationSpec {
  /** The name of the host type; either this or `instance_type` is set. */
  host_type?: string;
  instance_type?: string;
  /** The id of the site for the hosts; without one, any site. */
  site?: string;
  reserved: number;
}

/**
 * `host_types` are the host types of the reserved hosts. For an instance type, they are the types
 * that matched it when the allocation was created.
 */
export type Allocation = StoredObject<"allocation", AllocationSpec, Record<string, never>> & {
  host_types: string[];
};

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    allocation: Allocation;
  }
}
