import { eachCallOf } from "../../support/matrix/each-call.ts";
import { networks } from "../../support/matrix/networks.ts";

await eachCallOf(networks, "hub-network-create");
await eachCallOf(networks, "hub-network-delete");
await eachCallOf(networks, "hub-subnet-create");
await eachCallOf(networks, "hub-subnet-delete");
await eachCallOf(networks, "hub-security-group-create");
await eachCallOf(networks, "hub-security-group-apply");
await eachCallOf(networks, "hub-security-group-delete");
