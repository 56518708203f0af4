import { isDeepStrictEqual } from "node:util";
import type { Violation } from "../../error.ts";
import { mustLoad, type Records } from "../../kernel/object/records.ts";
import type { BareMetalInstanceType } from "../bare-metal-instance-type/model.ts";
import type { InstanceSpecInput } from "../baremetal-instance-template/order-input.ts";
import {
  type Attaching,
  attachingOf,
  refuseUnready,
  type Search,
  searchIn,
} from "../subnet/attaching.ts";
import type { BaremetalInstance, InstanceNetworks } from "./model.ts";

/** The networks in an order for a server: `spec.network_attachments`. */

type Named = NonNullable<InstanceSpecInput["network_attachments"]>;

const field = "spec.network_attachments";

/**
 * The attachments of an order with the objects that they name; each fault adds a violation. Throws FailedPrecondition,
 * as OSAC does, if a named object cannot be used now and there are no violations.
 */
export async function attachmentsOf(
  search: Search,
  named: Named,
  type: BareMetalInstanceType | undefined,
  violations: Violation[],
): Promise<InstanceNetworks> {
  const { networks, found } = await networksNamed(search, named, type, violations);
  if (violations.length === 0) for (const each of found) refuseUnready(each);
  return networks;
}

async function networksNamed(
  search: Search,
  named: Named,
  type: BareMetalInstanceType | undefined,
  violations: Violation[],
): Promise<{ networks: InstanceNetworks; found: Attaching[] }> {
  if (named.length === 0)
    violations.push({
      field,
      message: "is required: a server joins its tenant's networks only",
    });
  refuseInterfaces(named, type, violations);
  refusePrimary(named, violations);
  const found = await attachedTo(search, named, violations);
  const whole = found.flatMap((each) => each ?? []);
  refuseSites(whole, violations);
  const more = named.map(({ interface: name, primary }) => ({
    ...(name !== undefined && { interface: name }),
    primary: named.length === 1 || primary === true,
  }));
  const network_attachments = found.flatMap((each, n) => {
    const rest = more[n];
    return each && rest ? [{ ...each.attachment, ...rest }] : [];
  });
  const stands = found.flatMap((each, n) => {
    const rest = more[n];
    return each && rest ? [{ ...each.stands_in, ...rest }] : [];
  });
  return { networks: { network_attachments, stands }, found: whole };
}

const attachedTo = (
  search: Search,
  named: Named,
  violations: Violation[],
): Promise<(Attaching | undefined)[]> =>
  Promise.all(
    named.map((each, n) =>
      attachingOf(
        search,
        each,
        { field: `${field}[${n}]`, who: "servers", inOverlay: true },
        violations,
      ),
    ),
  );

/** Each attachment has to name a different network port of the type, and one that tenants may use. */
function refuseInterfaces(
  named: Named,
  type: BareMetalInstanceType | undefined,
  violations: Violation[],
): void {
  const ports = type?.spec.hardware.network_ports ?? [];
  const forTenants = ports.filter(({ role }) => role?.toLowerCase() !== "lifecycle");
  named.forEach(({ interface: name }, n) => {
    const refuse = (message: string) =>
      violations.push({ field: `${field}[${n}].interface`, message });
    if (name === undefined) {
      if (named.length > 1) refuse("is required with more than one attachment");
    } else if (named.findIndex((each) => each.interface === name) !== n)
      refuse(`another attachment already names '${name}'`);
    else if (type && !forTenants.some((port) => port.name === name))
      refuse(
        forTenants.length === 0
          ? `'${name}' is none: type '${type.metadata.name}' names no network ports`
          : `must be ${forTenants.map((port) => `'${port.name}'`).join(" or ")}`,
      );
  });
}

function refusePrimary(named: Named, violations: Violation[]): void {
  const primaries = named.filter(({ primary }) => primary === true).length;
  if (named.length > 1 && primaries !== 1)
    violations.push({
      field,
      message: `exactly one of them must be primary, and ${primaries === 0 ? "none" : primaries} ${primaries < 2 ? "is" : "are"}`,
    });
  else if (named.length === 1 && named[0]?.primary === false)
    violations.push({ field: `${field}[0].primary`, message: "the only attachment is primary" });
}

/** All attachments have to be at one site, since a server is at one, and in different subnets. */
function refuseSites(found: Attaching[], violations: Violation[]): void {
  const [first] = found;
  found.forEach(({ stands_in: { site, subnet }, attachment }, n) => {
    const at = `${field}[${n}].subnet`;
    if (site !== first?.stands_in.site)
      violations.push({
        field: at,
        message: `is at ${site === undefined ? "no site" : `site '${site}'`}, and another one is not`,
      });
    else if (found.findIndex((each) => each.stands_in.subnet === subnet) !== n)
      violations.push({
        field: at,
        message: `another attachment is already in '${attachment.subnet.name}'`,
      });
  });
}

/**
 * The networks of a change; undefined if they stay the same. Each fault adds a violation. Throws
 * FailedPrecondition if a named object cannot be used now and there are no violations.
 */
export async function changedNetworks(
  records: Records,
  before: BaremetalInstance,
  named: Named,
  violations: Violation[],
): Promise<InstanceNetworks | undefined> {
  const { stands, instance_type } = before;
  const { tenant, project = "" } = before.metadata;
  const isNew = (name: string | undefined) =>
    name !== undefined && !stands.some((stand) => stand.interface === name);
  const type = named.some((each) => isNew(each.interface))
    ? await mustLoad(records, "bare_metal_instance_type", instance_type.id)
    : undefined;
  const { networks, found } = await networksNamed(
    searchIn(records, { tenant, project }),
    named,
    type,
    violations,
  );
  if (found.length < named.length || isDeepStrictEqual(networks.stands, stands)) return undefined;
  refuseElsewhere(before, found, violations);
  if (violations.length === 0) for (const each of found) refuseUnready(each);
  return networks;
}

/** Refuses subnets of another site: a server cannot move. */
function refuseElsewhere(
  { site }: Pick<BaremetalInstance, "site">,
  found: Attaching[],
  violations: Violation[],
): void {
  const named = (id: string | undefined) => (id === undefined ? "an overlay" : `site '${id}'`);
  for (const [n, { stands_in: at }] of found.entries())
    if (at.site !== site?.id)
      violations.push({
        field: `${field}[${n}].subnet`,
        message: `is of ${named(at.site)}, and the server is in subnets of ${named(site?.id)}`,
      });
}
