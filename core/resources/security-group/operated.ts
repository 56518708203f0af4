import type { Operating } from "../../kernel/saga/operated.ts";
import { operatedAtSite } from "../site/operated.ts";
import type { SecurityGroup } from "./model.ts";
import { securityGroupSagas } from "./sagas.ts";

/** The meaning of operations for a security group. */
export const operated: Operating<"security_group"> =
  operatedAtSite<SecurityGroup>(securityGroupSagas);
