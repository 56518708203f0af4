import { operatedOutside } from "../../at-site/operated.ts";
import type { Operating } from "../../kernel/saga/operated.ts";
import type { SecurityGroup } from "./model.ts";
import { securityGroupSagas } from "./sagas.ts";

/** The changes of a security group at the start and the end of its operation. */
export const operated: Operating<"security_group"> =
  operatedOutside<SecurityGroup>(securityGroupSagas);
