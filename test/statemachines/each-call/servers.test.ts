import { eachCallOf } from "../../support/matrix/each-call.ts";
import { networks } from "../../support/matrix/networks.ts";

await eachCallOf(networks, "instance-restart");
await eachCallOf(networks, "instance-restart", "a shutdown");
await eachCallOf(networks, "instance-reinstall");
await eachCallOf(networks, "instance-repair");
