import { matrixOf } from "../../support/matrix/cases.ts";
import { dpus } from "../../support/matrix/dpus.ts";

matrixOf(dpus, "dpu-provision", "inside");
