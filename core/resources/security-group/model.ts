import type { MadeOutside, MadeOutsideStatus } from "../../at-site/made-outside.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { Direction, SecurityRule } from "./rules.ts";

/**
 * A security group of a network. A member may receive and send the traffic that any of its groups allows, and the
 * replies to it; everything else is dropped.
 */

export interface SecurityGroupSpec extends Record<Direction, SecurityRule[]> {
  virtual_network: Reference;
}

export interface SecurityGroupStatus extends MadeOutsideStatus<"SECURITY_GROUP"> {
  /** The desired version of its rules, counted from 1 with each change. */
  wanted_version: number;
  /** The version that is applied everywhere in its network; absent before the first. */
  applied_version?: number;
}

export interface SecurityGroup
  extends StoredObject<"security_group", SecurityGroupSpec, SecurityGroupStatus>,
    MadeOutside {
  /** The name that its network has on systems outside. */
  network_infra_id: string;
  /** The desired version of its rules, counted from 1 with each change. */
  wanted: number;
  /** The version of the rules that is reported as applied everywhere in its network. */
  applied?: number;
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    security_group: SecurityGroup;
  }
}
