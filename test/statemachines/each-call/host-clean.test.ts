import { eachCallOf } from "../../support/matrix/each-call.ts";
import { hosts } from "../../support/matrix/hosts.ts";

await eachCallOf(hosts, "host-clean", "a server with DPUs");
