import { eachCallOf } from "../../support/matrix/each-call.ts";
import { networks } from "../../support/matrix/networks.ts";

await eachCallOf(networks, "virtual-network-create", "a network");
await eachCallOf(networks, "virtual-network-create", "a network of an overlay");
await eachCallOf(networks, "virtual-network-delete", "a network");
await eachCallOf(networks, "virtual-network-delete", "a network of an overlay");
await eachCallOf(networks, "subnet-create", "a subnet");
await eachCallOf(networks, "subnet-create", "a subnet of an overlay");
await eachCallOf(networks, "subnet-delete", "a subnet");
await eachCallOf(networks, "security-group-create");
await eachCallOf(networks, "security-group-apply");
await eachCallOf(networks, "security-group-delete");
