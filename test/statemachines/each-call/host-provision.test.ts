import { eachCallInTurn } from "../../support/matrix/each-call.ts";
import { hosts } from "../../support/matrix/hosts.ts";

await eachCallInTurn(hosts, "host-provision", "a server with a DPU");
