import { operatedOutside } from "../../at-site/operated.ts";
import type { Operating } from "../../kernel/saga/operated.ts";
import type { SecurityGroup } from "./model.ts";
import { securityGroupSagas } from "./sagas.ts";

/** What the start and the end of an operation change in its security group. */
export const operated: Operating<"security_group"> =
  operatedOutside<SecurityGroup>(securityGroupSagas);
