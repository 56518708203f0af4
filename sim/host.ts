import * as z from "zod";
import { hostSpecSchema } from "../core/model/host.ts";

/** A machine of the simulated world; its id is the UUID that its Agent is named by. */
export const hostSchema = z.strictObject({
  id: z.uuid(),
  /** Its hostname. */
  name: z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "must be an RFC 1123 label"),
  hub: hostSpecSchema.shape.hub,
  host_type: hostSpecSchema.shape.host_type,
  bmc: z.strictObject({ address: z.string().min(1).max(2048) }),
  nics: hostSpecSchema.shape.nics,
  /** On the hub's discovery network, which every host of this world is attached to. */
  address: z.ipv4(),
});
export type Host = z.infer<typeof hostSchema>;
