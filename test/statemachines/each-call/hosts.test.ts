import { eachCallOf } from "../../support/matrix/each-call.ts";
import { hosts } from "../../support/matrix/hosts.ts";

await eachCallOf(hosts, "host-discover");
await eachCallOf(hosts, "host-switch-off");
await eachCallOf(hosts, "host-update-firmware");
