import { runsFormer } from "../../support/former.ts";
import { hosts } from "../../support/matrix/hosts.ts";

runsFormer(hosts);
