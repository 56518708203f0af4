import { dpus } from "../../support/matrix/dpus.ts";
import { eachCallOf } from "../../support/matrix/each-call.ts";

await eachCallOf(dpus, "dpu-provision");
