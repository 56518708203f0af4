import { eachCallInTurn } from "../../support/matrix/each-call.ts";
import { dpus } from "../../support/matrix/dpus.ts";

await eachCallInTurn(dpus, "dpu-provision");
