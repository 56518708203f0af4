import { runsFormer } from "../../support/former.ts";
import { dpus } from "../../support/matrix/dpus.ts";

runsFormer(dpus);
