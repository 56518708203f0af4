import { isKind, type Violation } from "../../error.ts";
import { controllerKey } from "../../kernel/object/keys.ts";
import { masked } from "../../kernel/object/wire.ts";
import { absent, eq, type Store, type Write } from "../../kernel/store/store.ts";
import { parseAddress } from "../../ports/bare-metal/redfish/address.ts";
import { secretReference } from "../../ports/secrets/secrets.ts";
import type { Host, HostSpec } from "./model.ts";

/** The management controller of a host as a request gives it: its address, and how to log in there. */

type Bmc = HostSpec["bmc"];
interface GivenBmc {
  address: string;
  certificate?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
}

interface Controller {
  bmc: Bmc;
  /** The credentials, if the request gives any. */
  secret?: { reference: string; value: string };
}

/** The controller with its credentials apart. A request without credentials keeps those that are stored. */
export function controllerOf(
  id: string,
  { username, password, certificate, address }: GivenBmc,
  before: Host | undefined,
  newId: () => string,
  violations: Violation[],
): Controller {
  const { credentials } = before?.spec.bmc ?? {};
  const bmc: Bmc = { address, ...(certificate !== undefined && { certificate }) };
  const isGiven = username !== undefined || (password !== undefined && password !== masked);
  if (isGiven || credentials !== undefined) refuseAddress(address, violations);
  if (!isGiven) return { bmc: { ...bmc, ...(credentials !== undefined && { credentials }) } };
  if (username === undefined || password === undefined || password === masked) {
    const field = `spec.bmc.${username === undefined ? "username" : "password"}`;
    violations.push({ field, message: "is required: user and password change together" });
    return { bmc };
  }
  // Each has a reference of its own, so that the host and its credentials change in one write.
  const reference = `${secretReference.bmcCredentials(id)}/${newId()}`;
  return {
    bmc: { ...bmc, credentials: reference },
    secret: { reference, value: JSON.stringify({ username, password }) },
  };
}

function refuseAddress(address: string, violations: Violation[]): void {
  try {
    parseAddress(address);
  } catch (error) {
    if (!isKind(error, "Invalid")) throw error;
    const message = "must be the address of a Redfish controller, such as redfish://10.1.0.1";
    violations.push({ field: "spec.bmc.address", message });
  }
}

/** The address that a host claims: of a server whose power Slipway manages, which no other host may have. */
const claimed = (bmc: Bmc | undefined): string | undefined =>
  bmc?.credentials === undefined ? undefined : bmc.address;

/** Claims the controller, so that no server is two hosts, and releases the one before. */
export async function controllerWrites(
  store: Store,
  id: string,
  before: Bmc | undefined,
  after: Bmc | undefined,
  violations: Violation[] = [],
): Promise<Write[]> {
  const [had, has] = [claimed(before), claimed(after)];
  if (had === has) return [];
  const owner = has === undefined ? undefined : (await store.get(controllerKey(has)))?.host;
  if (owner !== undefined && owner !== id)
    violations.push({ field: "spec.bmc.address", message: "belongs to another host" });
  return [
    ...(had === undefined ? [] : [{ delete: controllerKey(had), if: eq("host", id) }]),
    ...(has === undefined ? [] : [{ put: { ...controllerKey(has), host: id }, if: absent }]),
  ];
}
