import { eachCallInTurn } from "../../support/matrix/each-call.ts";
import { hosts } from "../../support/matrix/hosts.ts";

await eachCallInTurn(hosts, "host-clean", "a server with DPUs");
