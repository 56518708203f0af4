import { timestamp } from "../../clock.ts";
import { objectKey } from "../../kernel/object/keys.ts";
import { objectIn } from "../../kernel/object/records.ts";
import type { LiveStatus } from "../../kernel/request/definition.ts";
import {
  type FirmwareComponent,
  type FirmwareVersions,
  firmwareComponents,
} from "../../ports/bare-metal/firmware.ts";
import type { FirmwareWanted } from "../host-type/model.ts";
import type { Host } from "./model.ts";

/** The firmware of a host: the versions that its controller reports, compared with those of its type. */

/** A version that a controller reports, and the time of the first such report. */
export interface FirmwareSeen {
  component: FirmwareComponent;
  version: string;
  since: string;
}

/** The host with the versions that its controller reports now. `now` in milliseconds. */
export function withVersions(host: Host, versions: FirmwareVersions, now: number): Host {
  const firmware = firmwareComponents.flatMap((component): FirmwareSeen[] => {
    const version = versions[component];
    if (version === undefined) return [];
    const known = host.firmware?.find((each) => each.component === component);
    return [known?.version === version ? known : { component, version, since: timestamp(now) }];
  });
  return { ...host, firmware };
}

/** The versions that the controller of a host reported last. */
export const versionsOf = ({ firmware = [] }: Pick<Host, "firmware">): FirmwareVersions =>
  Object.fromEntries(firmware.map(({ component, version }) => [component, version]));

/** The desired versions that differ from the reported ones, in the order of the updates. Pure. */
export const otherThan = (
  versions: FirmwareVersions,
  wanted: readonly FirmwareWanted[] = [],
): FirmwareWanted[] =>
  firmwareComponents.flatMap((component) =>
    wanted.filter((each) => each.component === component && each.version !== versions[component]),
  );

/**
 * The reported versions, with the desired versions of the type; the record has only the reported
 * ones.
 */
export const firmwareLive: LiveStatus<"host"> = {
  members: ["firmware"],
  async read({ store, kinds }, _, found) {
    const hosts = await found;
    const types = [...new Set(hosts.flatMap(({ firmware, spec }) => firmware && spec.host_type))];
    const ids = types.flatMap((id) => id ?? []);
    const items = await store.getMany(ids.map((id) => objectKey("host_type", id)));
    const wanted = new Map(
      items.map((item, n) => [ids[n], item && objectIn<"host_type">(kinds, item).spec.firmware]),
    );
    return hosts.map(({ firmware, spec }) => {
      if (!firmware) return {};
      const of = wanted.get(spec.host_type);
      return { firmware: firmware.map((seen) => beside(seen, of)) };
    });
  },
};

function beside(seen: FirmwareSeen, wanted: readonly FirmwareWanted[] = []) {
  const version = wanted.find(({ component }) => component === seen.component)?.version;
  if (version === undefined) return seen;
  return { ...seen, wanted: version, stale: version !== seen.version };
}
