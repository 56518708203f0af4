import { matrixOf } from "../../support/matrix/cases.ts";
import { networks } from "../../support/matrix/networks.ts";

matrixOf(networks, "instance-repair", "requests");
