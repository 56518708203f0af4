import { dpus } from "../../support/matrix/dpus.ts";
import { eachCallInTurn } from "../../support/matrix/each-call.ts";

await eachCallInTurn(dpus, "dpu-provision");
