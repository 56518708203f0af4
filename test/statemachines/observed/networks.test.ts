import { minutes } from "../../../core/clock.ts";
import { networks } from "../../support/matrix/networks.ts";
import { refusalsOf } from "../../support/matrix/observed.ts";

const reach = "it is asked whether its site answers at all";

// A DPU that says nothing for more than half an hour is given up.
refusalsOf(
  networks,
  /^[a-z-]+-delete,/,
  {
    "Undo OpenWayOut: server.observe says an image in the drive": reach,
    "Undo LeadExternalIp: server.observe says an image in the drive": reach,
  },
  minutes(20),
);
