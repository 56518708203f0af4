import { eachCallOf } from "../../support/matrix/each-call.ts";
import { networks } from "../../support/matrix/networks.ts";

await eachCallOf(networks, "external-ip-attachment-create", "at an API");
await eachCallOf(networks, "external-ip-attachment-create", "at a server with DPUs");
await eachCallOf(networks, "external-ip-attachment-delete", "from an API");
await eachCallOf(networks, "external-ip-attachment-delete", "from a server with DPUs");
await eachCallOf(networks, "nat-gateway-create", "a way out");
await eachCallOf(networks, "nat-gateway-create", "a way out of an overlay");
await eachCallOf(networks, "nat-gateway-delete", "a way out");
await eachCallOf(networks, "nat-gateway-delete", "a way out of an overlay");
