import { matrixOf } from "../../support/matrix/cases.ts";
import { hosts } from "../../support/matrix/hosts.ts";

matrixOf(hosts, "host-update-firmware", "inside");
