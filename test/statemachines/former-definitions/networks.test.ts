import { runsFormer } from "../../support/former.ts";
import { networks } from "../../support/matrix/networks.ts";

runsFormer(networks);
