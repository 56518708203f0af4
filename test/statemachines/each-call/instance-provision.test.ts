import { eachCallInTurn } from "../../support/matrix/each-call.ts";
import { networks } from "../../support/matrix/networks.ts";

await eachCallInTurn(networks, "instance-provision", "a server with DPUs");
