import { operatedOutside } from "../../at-site/operated.ts";
import type { Operating } from "../../kernel/saga/operated.ts";
import type { NatGateway } from "./model.ts";
import { natGatewaySagas } from "./sagas.ts";

/** What the start and the end of an operation change in its NAT gateway. */
export const operated: Operating<"nat_gateway"> = operatedOutside<NatGateway>(natGatewaySagas);
