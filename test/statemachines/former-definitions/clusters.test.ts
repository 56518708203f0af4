import { runsFormer } from "../../support/former.ts";
import { clusters } from "../../support/matrix/clusters.ts";

runsFormer(clusters);
