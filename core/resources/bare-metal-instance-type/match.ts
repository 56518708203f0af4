import type { Hardware, HostType } from "../host-type/model.ts";
import type { BareMetalInstanceType, InstanceHardware } from "./model.ts";

/** Matches host types with instance types, by the hardware that both promise. Pure. */

/**
 * Whether every host of this type can be a server of the instance type. Hardware that a host type does not promise
 * counts as missing, because nothing checks for it.
 */
export function matches(
  { spec: { hardware, host_label_selector } }: Pick<BareMetalInstanceType, "spec">,
  { spec: { hardware: promised = {} }, metadata }: Pick<HostType, "spec" | "metadata">,
): boolean {
  const labels = Object.entries(host_label_selector?.match_labels ?? {});
  const { cores, threads_per_core: threads = 1 } = hardware.cpu;
  return (
    bootsUrls({ spec: { hardware: promised } }) &&
    labels.every(([key, value]) => metadata.labels[key] === value) &&
    promised.cpus === cores * threads &&
    holds(promised.memory_gib, hardware.memory.total_gb) &&
    hasDisks(promised, hardware) &&
    hasAccelerators(promised, hardware)
  );
}

/**
 * Whether one instance type may match both host types, whatever it asks of memory, disks and labels. Host types that
 * are not rivals are never chosen between.
 */
export const areRivals = (a: Pick<HostType, "spec">, b: Pick<HostType, "spec">): boolean =>
  [a, b].every(bootsUrls) &&
  a.spec.hardware?.cpus !== undefined &&
  a.spec.hardware.cpus === b.spec.hardware?.cpus &&
  gpusOf(a) === gpusOf(b) &&
  hasDpus(a) === hasDpus(b);

const gpusOf = ({ spec: { hardware } }: Pick<HostType, "spec">): number =>
  (hardware?.gpus ?? []).reduce((sum, { count }) => sum + count, 0);

/** Whether hosts of a type are for servers in overlays. */
export const hasDpus = ({ spec: { hardware } }: Pick<HostType, "spec">): boolean =>
  (hardware?.dpus ?? 0) > 0;

/** Whether hosts of a type can boot a tenant's image, which is at a URL. */
export const bootsUrls = ({ spec: { hardware } }: Pick<HostType, "spec">): boolean =>
  hardware?.url_boot !== false;

/** The type as if its hosts could boot from a URL. */
export function withUrls(type: HostType): HostType {
  const { url_boot: _, ...hardware } = type.spec.hardware ?? {};
  return { ...type, spec: { ...type.spec, hardware } };
}

const holds = (gib: number | undefined, gigabytes: number): boolean =>
  gib !== undefined && gib * 2 ** 30 >= gigabytes * 10 ** 9;

/** Whether each desired disk has a promised disk of its own that is large enough; the largest are paired first. */
function hasDisks({ disks: promised = [] }: Hardware, { disks = [] }: InstanceHardware): boolean {
  const sizes = promised
    .flatMap(({ count, min_gib }) => Array.from({ length: count }, () => min_gib))
    .toSorted((a, b) => b - a);
  const wanted = disks.map(({ capacity_gb }) => capacity_gb).toSorted((a, b) => b - a);
  return wanted.every((gigabytes, n) => holds(sizes[n], gigabytes));
}

/** Whether the promised accelerators are exactly the desired ones, by model. */
function hasAccelerators(
  { gpus = [] }: Hardware,
  { accelerators = [] }: InstanceHardware,
): boolean {
  const left = [...accelerators];
  const isThere = gpus.every(({ model, count }) => {
    const ofModel = left.filter((each) => each.model.includes(model));
    for (const each of ofModel) left.splice(left.indexOf(each), 1);
    return ofModel.length === count;
  });
  return isThere && left.length === 0;
}
