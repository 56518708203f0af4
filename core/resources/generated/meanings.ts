// Made by `npm run generate` from core/resources/index.ts.
import type { KindMeanings } from "../../ports/hub/meaning.ts";
import { meanings as cluster } from "../cluster/observed.ts";
import { meanings as host } from "../host/observed.ts";

/** What the kinds read in hubs' reports. */
export const meanings: KindMeanings = {
  cluster,
  host,
};
