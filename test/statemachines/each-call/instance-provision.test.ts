import { eachCallOf } from "../../support/matrix/each-call.ts";
import { networks } from "../../support/matrix/networks.ts";

await eachCallOf(networks, "instance-provision", "a server with DPUs");
