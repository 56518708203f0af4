import type { MadeOutside, MadeOutsideStatus } from "../../at-site/made-outside.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { Direction, SecurityRule } from "./rules.ts";

/**
 * A security group of a network. What stands in the network and has the group lets in and out what one of its
 * groups allows, and the answers to that; everything else is dropped.
 */

export interface SecurityGroupSpec extends Record<Direction, SecurityRule[]> {
  virtual_network: Reference;
}

export interface SecurityGroupStatus extends MadeOutsideStatus<"SECURITY_GROUP"> {
  /** Counts the changes of its rules, from 1. */
  wanted_version: number;
  /** The version that every end applies; absent before the first. */
  applied_version?: number;
}

export interface SecurityGroup
  extends StoredObject<"security_group", SecurityGroupSpec, SecurityGroupStatus>,
    MadeOutside {
  /** The name of its network on systems outside. */
  network_infra_id: string;
  /** Counts the changes of its rules, from 1. */
  wanted: number;
  /** The version of the rules that every end has reported that it applies. */
  applied?: number;
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    security_group: SecurityGroup;
  }
}
