import { isKind, type Violation } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { load, type Records } from "../../kernel/object/records.ts";
import { masked } from "../../kernel/object/wire.ts";
import type { Write } from "../../kernel/store/store.ts";
import {
  isAddressOf,
  namesService,
  parseGivenAddress,
  type ServerPlace,
} from "../../ports/bare-metal/address.ts";
import { givingUp } from "../../ports/bare-metal/giving-up.ts";
import { secretReference } from "../../ports/secrets/secrets.ts";
import type { Hub } from "../hub/model.ts";
import type { Bmc } from "./bmc.ts";
import { controllerClaims, type Having } from "./controller-claim.ts";
import { claimedAddress } from "./controller-place.ts";

/**
 * The management controller of a host or a DPU in a request: its address or its name at a service, and its
 * credentials.
 */

interface GivenBmc {
  address: string;
  certificate?: string | undefined;
  authentication?: Bmc["authentication"];
  username?: string | undefined;
  password?: string | undefined;
}

interface Controller {
  bmc: Bmc;
  /** The credentials, if the request has any. */
  secret?: { reference: string; value: string };
}

/**
 * The controller without its credentials, which are returned separately. A request without credentials keeps
 * the stored ones.
 */
export function controllerOf(
  id: string,
  { username, password, certificate, authentication, address }: GivenBmc,
  before: { spec: { bmc: Bmc } } | undefined,
  newId: () => string,
  violations: Violation[],
): Controller {
  const bmc: Bmc = {
    address,
    ...(certificate !== undefined && { certificate }),
    ...(authentication !== undefined && { authentication }),
  };
  const isGiven = username !== undefined || (password !== undefined && password !== masked);
  const credentials = before?.spec.bmc.credentials;
  const place = placeAt(address, isGiven || credentials !== undefined, violations);
  if (place?.by === "ironic") {
    const message = "is of no use: Ironic logs into the controller";
    for (const [name, value] of Object.entries({ certificate, authentication, username, password }))
      if (value !== undefined) violations.push({ field: `spec.bmc.${name}`, message });
    return { bmc };
  }
  if (!isGiven) return { bmc: { ...bmc, ...(credentials !== undefined && { credentials }) } };
  if (username === undefined || password === undefined || password === masked) {
    const field = `spec.bmc.${username === undefined ? "username" : "password"}`;
    violations.push({ field, message: "is required: user and password change together" });
    return { bmc };
  }
  // Each change gets a new reference, so that the host and its credentials change in one write.
  const reference = `${secretReference.bmcCredentials(id)}/${newId()}`;
  return {
    bmc: { ...bmc, credentials: reference },
    secret: { reference, value: JSON.stringify({ username, password }) },
  };
}

/**
 * The place of a controller's address; any text is allowed if Slipway does not manage the server's
 * power.
 */
function placeAt(
  address: string,
  isManaged: boolean,
  violations: Violation[],
): ServerPlace | undefined {
  if (!isManaged && !namesService(address)) return undefined;
  try {
    return parseGivenAddress(address);
  } catch (error) {
    if (!isKind(error, "Invalid")) throw error;
    violations.push({ field: "spec.bmc.address", message: error.message });
    return undefined;
  }
}

/** Refuses a node of Ironic if the hub's site has no Ironic. */
export async function refuseMissingService(
  records: Records,
  { address }: Pick<Bmc, "address">,
  hub: Hub | undefined,
  violations: Violation[],
): Promise<void> {
  if (!hub || !isAddressOf("ironic", address)) return;
  const { site: id } = hub.spec;
  const site = id === undefined ? undefined : await load(records, "site", id);
  if (site?.spec.bare_metal?.provider === "ironic") return;
  const where = site ? `its site '${site.id}' has no bare_metal` : "it is at no site";
  const message = `names a node of Ironic, and hub '${hub.id}' has none: ${where}`;
  violations.push({ field: "spec.bmc.address", message });
}

/** Claims the controller, so that no server is registered as two objects, and releases the previous one. */
export async function controllerWrites(
  deps: Pick<Deps, "store" | "kinds" | "clock">,
  who: Having,
  before: { bmc: Bmc; hub: string } | undefined,
  after: Bmc | undefined,
  violations: Violation[] = [],
): Promise<Write[]> {
  const [had, has] = [claimedAddress(before?.bmc), claimedAddress(after)];
  const claims = await controllerClaims(deps, who, had, has, violations);
  if (!before || had === undefined || had === has) return claims;
  const [id = ""] = Object.values(who);
  const leaving = { host: id, hub: before.hub, address: had };
  return [...claims, ...(await givingUp(deps.store, leaving, deps.clock.now()))];
}
