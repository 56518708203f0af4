import { networks } from "../../support/matrix/networks.ts";
import { refusalsOf } from "../../support/matrix/observed.ts";

refusalsOf(networks, /^[a-z-]+-delete,/, {});
