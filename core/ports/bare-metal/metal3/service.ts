import type { HubApi } from "../../kubernetes/api.ts";
import type { BareMetalServer } from "../server.ts";
import type { Metal3Options } from "./metal3.ts";

/** The Metal3 of one hub. */
export interface Metal3 {
  /** The server of a BareMetalHost; sends no request yet. */
  server(of: Omit<Metal3Options, "api">): Promise<BareMetalServer>;
}

/** Loads the adapter on first use, since most hubs have no Metal3. */
export const metal3On = (api: HubApi): Metal3 => ({
  server: async (of) => new (await import("./metal3.ts")).Metal3Server({ api, ...of }),
});
