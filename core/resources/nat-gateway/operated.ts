import { operatedOutside } from "../../at-site/operated.ts";
import type { Operating } from "../../kernel/saga/operated.ts";
import type { NatGateway } from "./model.ts";
import { natGatewaySagas } from "./sagas.ts";

/** The changes of a NAT gateway at the start and the end of its operation. */
export const operated: Operating<"nat_gateway"> = operatedOutside<NatGateway>(natGatewaySagas);
