import { isDeepStrictEqual } from "node:util";
import type { Violation } from "../../error.ts";
import type { Records } from "../../kernel/object/records.ts";
import { means, type Place } from "../../kernel/request/resolve.ts";
import type { BareMetalInstanceType } from "../bare-metal-instance-type/model.ts";
import type { InstanceSpecInput } from "../baremetal-instance-template/order-input.ts";
import type { Groups, Stand } from "../site/at-site.ts";
import { type Attaching, attachingOf, refuseUnready } from "../subnet/attaching.ts";
import type { BaremetalInstance, InstanceAttachment } from "./model.ts";

/** The networks that an order names for its server: `spec.network_attachments`. */

type Named = NonNullable<InstanceSpecInput["network_attachments"]>;

const field = "spec.network_attachments";

interface Networks {
  attachments: InstanceAttachment[];
  stands: Stand[];
}

/**
 * What an order names, as it was found; every fault is a violation. Throws FailedPrecondition, as OSAC does, where
 * something that is named cannot be used now and nothing else is wrong.
 */
export async function attachmentsOf(
  records: Records,
  place: Place,
  named: Named,
  type: BareMetalInstanceType | undefined,
  violations: Violation[],
): Promise<Networks> {
  if (named.length === 0)
    violations.push({
      field,
      message: "is required: a server stands in networks of its tenant alone",
    });
  refuseInterfaces(named, type, violations);
  refusePrimary(named, violations);
  const found = await attachedTo(records, place, named, violations);
  const whole = found.flatMap((each) => each ?? []);
  refuseSites(whole, violations);
  if (violations.length === 0) for (const each of whole) refuseUnready(each);
  const more = named.map(({ interface: name, primary }) => ({
    ...(name !== undefined && { interface: name }),
    primary: named.length === 1 || primary === true,
  }));
  return {
    attachments: found.flatMap((each, n) => {
      const rest = more[n];
      return each && rest ? [{ ...each.attachment, ...rest }] : [];
    }),
    stands: found.flatMap((each, n) => {
      const rest = more[n];
      return each && rest ? [{ ...each.stands_in, ...rest }] : [];
    }),
  };
}

const attachedTo = (
  records: Records,
  place: Place,
  named: Named,
  violations: Violation[],
): Promise<(Attaching | undefined)[]> =>
  Promise.all(
    named.map((each, n) =>
      attachingOf(
        records,
        place,
        each,
        { field: `${field}[${n}]`, who: "servers", inOverlay: true },
        violations,
      ),
    ),
  );

/** Each attachment names a port of its own that the type has, and that is the tenant's to use. */
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
      refuse(`'${name}' is that of another attachment`);
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

/** A server is at one site, and a NIC in one subnet. */
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
        message: `'${attachment.subnet.name}' is that of another attachment`,
      });
  });
}

/**
 * The groups that a change names, one entry for each attachment; undefined where it keeps them. All else of an
 * attachment is immutable. Throws FailedPrecondition where a group cannot be used now.
 */
export async function changedGroups(
  records: Records,
  { spec, metadata: { tenant, project = "" } }: BaremetalInstance,
  named: Named,
  violations: Violation[],
): Promise<Groups[] | undefined> {
  const { network_attachments: before } = spec;
  const isSame = (each: Named[number], n: number) => {
    const is = before[n];
    return (
      is !== undefined &&
      means(each.subnet, is.subnet) &&
      each.interface === is.interface &&
      (each.primary ?? before.length === 1) === is.primary
    );
  };
  if (named.length !== before.length || !named.every(isSame)) {
    const message = "cannot be changed but for its security groups";
    violations.push({ field, message });
    return undefined;
  }
  const found = await attachedTo(records, { tenant, project }, named, violations);
  const whole = found.flatMap((each) => each ?? []);
  if (whole.length < named.length) return undefined;
  const has = before.map(({ security_groups }) => security_groups);
  if (
    isDeepStrictEqual(
      whole.map(({ attachment }) => attachment.security_groups),
      has,
    )
  )
    return undefined;
  if (violations.length === 0) for (const each of whole) refuseUnready(each);
  return whole.map(({ attachment, stands_in }) => ({
    security_groups: attachment.security_groups,
    names: stands_in.groups,
  }));
}
