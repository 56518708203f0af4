import { eachCallInTurn } from "../../support/matrix/each-call.ts";
import { networks } from "../../support/matrix/networks.ts";

await eachCallInTurn(networks, "instance-release", "a server with DPUs");
