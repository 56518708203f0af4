import { expect, it } from "vitest";
import { areRivals, matches } from "../../../../core/resources/bare-metal-instance-type/match.ts";
import type { InstanceTypeSpec } from "../../../../core/resources/bare-metal-instance-type/model.ts";
import type { HostType, HostTypeSpec } from "../../../../core/resources/host-type/model.ts";

type Wanted = Partial<InstanceTypeSpec["hardware"]>;
type Promised = NonNullable<HostTypeSpec["hardware"]>;

const h100 = { model: "NVIDIA H100 80GB" };
const metadata = { labels: { pool: "gold" } } as unknown as HostType["metadata"];

function isMatch(wanted: Wanted, promised: Promised | undefined, labels?: Record<string, string>) {
  const hardware = {
    cpu: { cores: 32, threads_per_core: 2 },
    memory: { total_gb: 512 },
    ...wanted,
  };
  const spec = {
    description: "a server",
    hardware,
    ...(labels && { host_label_selector: { match_labels: labels } }),
  };
  return matches({ spec }, { spec: promised ? { hardware: promised } : {}, metadata });
}

const base: Promised = { cpus: 64, memory_gib: 512 };

it.each<[string, boolean, Wanted, Promised | undefined, Record<string, string>?]>([
  ["the same", true, {}, base],
  ["a promise of nothing", false, {}, undefined],
  ["other processors", false, {}, { ...base, cpus: 32 }],
  ["one thread a core unless said", true, { cpu: { cores: 64 } }, base],
  ["gigabytes that are less than GiB", true, {}, { ...base, memory_gib: 477 }],
  ["too little memory", false, {}, { ...base, memory_gib: 476 }],
  ["a disk that is not promised", false, { disks: [{ capacity_gb: 900 }] }, base],
  [
    "disks that are large enough, each once",
    true,
    { disks: [{ capacity_gb: 100 }, { capacity_gb: 900 }] },
    {
      ...base,
      disks: [
        { count: 1, min_gib: 894 },
        { count: 1, min_gib: 400 },
      ],
    },
  ],
  [
    "two large disks of which one is promised",
    false,
    { disks: [{ capacity_gb: 900 }, { capacity_gb: 900 }] },
    {
      ...base,
      disks: [
        { count: 1, min_gib: 894 },
        { count: 1, min_gib: 400 },
      ],
    },
  ],
  [
    "its accelerators",
    true,
    { accelerators: [h100, h100] },
    { ...base, gpus: [{ model: "H100", count: 2 }] },
  ],
  [
    "too many accelerators",
    false,
    { accelerators: [h100] },
    { ...base, gpus: [{ model: "H100", count: 2 }] },
  ],
  [
    "accelerators of another model",
    false,
    { accelerators: [{ model: "L40S" }] },
    { ...base, gpus: [{ model: "H100", count: 1 }] },
  ],
  ["accelerators that are not promised", false, { accelerators: [h100] }, base],
  [
    "accelerators that the type has not",
    false,
    {},
    { ...base, gpus: [{ model: "H100", count: 1 }] },
  ],
  ["labels of the host type", true, {}, base, { pool: "gold" }],
  ["other labels", false, {}, base, { pool: "silver" }],
])("%s: %s", (_, is, wanted, promised, labels) => {
  expect(isMatch(wanted, promised, labels)).toBe(is);
});

const gpus = [{ model: "H100", count: 2 }];

it.each<[string, boolean, Promised | undefined, Promised | undefined]>([
  ["the same processors", true, base, base],
  ["more memory and disks", true, base, { ...base, memory_gib: 1024, disks: [] }],
  ["other processors", false, base, { ...base, cpus: 32 }],
  ["no promise of processors", false, {}, {}],
  ["no promise at all", false, undefined, undefined],
  ["GPUs that only one has", false, base, { ...base, gpus }],
  [
    "as many GPUs of a name that says more",
    true,
    { ...base, gpus },
    {
      ...base,
      gpus: [
        { model: "NVIDIA H100", count: 1 },
        { model: "80GB", count: 1 },
      ],
    },
  ],
  ["DPUs that only one has", false, base, { ...base, dpus: 1 }],
  ["no boot from a URL", false, base, { ...base, url_boot: false }],
])("one instance type may match two host types with %s: %s", (_, may, one, other) => {
  const [a, b] = [one, other].map((hardware) => ({ spec: hardware ? { hardware } : {} }));
  expect(a && b && areRivals(a, b)).toBe(may);
});
