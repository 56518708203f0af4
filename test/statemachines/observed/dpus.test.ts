import { minutes } from "../../../core/clock.ts";
import { dpus } from "../../support/matrix/dpus.ts";
import { refusalsOf } from "../../support/matrix/observed.ts";

const reports = "what a DPU runs reports by itself, which proves more than its controller's word";

// A DPU that says nothing for longer is started anew, and is set aside after eight starts.
refusalsOf(
  dpus,
  /^dpu-provision,/,
  {
    "BootInstaller: server.observe": reports,
    "GetAddress: server.observe": reports,
    "LoadImage: server.observe": reports,
  },
  minutes(10),
);
