import type { ErasureMethod } from "../../../../../core/ports/bare-metal/erasure.ts";
import {
  type RedfishOptions,
  RedfishServer,
} from "../../../../../core/ports/bare-metal/redfish/redfish.ts";
import { SimulatedBmcs } from "../../../../../sim/bmc/bmcs.ts";
import { shipped } from "../../../../../sim/bmc/firmware.ts";
import { type MachineDrive, usualHardware } from "../../../../../sim/bmc/hardware.ts";
import { profiles, type VendorName } from "../../../../../sim/bmc/profiles.ts";
import { openDatabase } from "../../../../../sim/database.ts";
import { Faults } from "../../../../../sim/faults.ts";
import { seeded } from "../../../../support/random.ts";
import { RecordedFetch } from "../../../../support/recorded-fetch.ts";
import { VirtualClock } from "../../../../support/virtual-clock.ts";
import type { DrivesFixture, FirmwareFixture } from "../fixture.ts";
import { startsOf } from "../starts.ts";

const id = "4c4c4544-0042-4b10-8051-b4c04f303133";
const macs = ["52:54:00:12:34:56", "52:54:00:12:34:57"];

const hardware = { ...usualHardware, gpus: [{ model: "H200 NVL", count: 4 }] };
const inside: MachineDrive[] = [
  {
    id: "Disk.Bay.0",
    name: "SSD 0",
    serial: "S6NANG0WB09554",
    model: "PM1743",
    protocol: "NVMe",
    media: "SSD",
    bytes: 1_920_383_410_176,
    methods: ["block", "cryptographic"],
  },
  {
    id: "Disk.Bay.1",
    name: "SSD 1",
    serial: "PHYG0123",
    model: "S4520",
    protocol: "SATA",
    media: "SSD",
    bytes: 480_103_981_056,
    methods: ["overwrite", "block"],
  },
  {
    id: "Disk.Bay.2",
    name: "Disk 2",
    serial: "ZL2B0001",
    model: "Exos X18",
    protocol: "SATA",
    media: "HDD",
    bytes: 18_000_207_937_536,
    methods: [],
  },
];
/** How each vendor's controller offers to erase these drives. */
const told: Record<VendorName, ErasureMethod[][]> = {
  dell: [["cryptographic"], [], []],
  hpe: [["unspecified"], ["unspecified"], []],
  supermicro: [["cryptographic", "block"], ["block", "overwrite"], []],
  lenovo: [["cryptographic", "block"], ["block"], []],
};

/** A server of a vendor simulated in virtual time, and the adapter on its controller. */
export function redfishFixture(vendor: VendorName) {
  const clock = new VirtualClock();
  const database = openDatabase(":memory:");
  const faults = new Faults(database);
  const sim = new SimulatedBmcs({ database, clock, wall: clock, random: seeded(1), faults });
  const machine = { id, controller: "bmc.test", vendor, serial: "CN7016", macs };
  sim.add({ ...machine, hardware, drives: inside });
  sim.machines.write(id, "tenant-1");
  const network = new RecordedFetch(sim.handle);
  const { username, password } = sim.credential;
  const { system } = profiles[vendor];
  const adapter = (options: Partial<RedfishOptions> = {}) =>
    new RedfishServer({
      address: `redfish://bmc.test/redfish/v1/Systems/${system}`,
      credential: async () => ({ username, password }),
      authentication: "basic",
      wall: clock,
      timeout: 10_000,
      fetch: network.fetch,
      ...options,
    });
  const now = () => sim.machines.get(id);
  const driveOf = (serial?: string) => now()?.drives.find((drive) => drive.serial === serial);
  const { begins, shown, answered } = profiles[vendor].erasure;
  const omits: readonly string[] = profiles[vendor].omits;
  const server = adapter();
  const fixture: DrivesFixture & FirmwareFixture = {
    server,
    stranger: adapter({ credential: async () => ({ username, password: "a-wrong-password" }) }),
    faults,
    power: `POST /redfish/v1/Systems/${system}/Actions/`,
    secrets: [
      password,
      "a-wrong-password",
      Buffer.from(`${username}:${password}`).toString("base64"),
    ],
    run: (call) => clock.until(call),
    pass: (ms) => clock.advance(ms),
    booted: () => now()?.booted,
    starts: startsOf(sim.machines),
    macs,
    sources: ["media", "network", "http", "disk"],
    bootsOnce: true,
    shown: (image) => image,
    drives: inside.map(({ id: _, media, methods: __, protocol, ...drive }, n) => ({
      ...drive,
      ...(!omits.includes("Protocol") && { protocol }),
      media: omits.includes("MediaType") ? "unknown" : media === "SSD" ? "ssd" : "hdd",
      methods: told[vendor][n] ?? [],
    })),
    hardware: { processors: 2, cores: 64, memory: 512 * 2 ** 30, gpus: hardware.gpus },
    written: (serial) => driveOf(serial)?.written,
    setFault: (serial, fault) =>
      sim.machines.setDriveFault(
        id,
        driveOf(serial)?.id ?? "",
        fault === "none" ? undefined : fault,
      ),
    beginsAtStart: begins === "at_start",
    namesTasks: shown || answered === "task",
    versions: shipped,
    namesUpdates: profiles[vendor].update.answered === "task",
  };
  return { ...fixture, server, sim, clock, database, network, adapter, machine: now, id };
}

/** A controller that answers as told; the rest is Dell's. */
export function answering(
  answer: (method: string, path: string, body: unknown) => object | undefined,
) {
  const { sim, clock } = redfishFixture("dell");
  const hosts = new Set<string>();
  const network = new RecordedFetch(async (request) => {
    const { pathname, host } = new URL(request.url);
    hosts.add(host);
    const body = request.method === "GET" ? undefined : await request.clone().json();
    const own = answer(request.method, pathname, body);
    if (own instanceof Response) return own;
    if (!own) return sim.handle(request);
    const { status = 200, ...rest } = own as { status?: number };
    return Response.json(rest, { status });
  });
  const adapter = (options: Partial<RedfishOptions> = {}) =>
    new RedfishServer({
      address: "redfish://bmc.test/redfish/v1/Systems/System.Embedded.1",
      credential: async () => sim.credential,
      authentication: "basic",
      wall: clock,
      timeout: 10_000,
      fetch: network.fetch,
      ...options,
    });
  const server = adapter({ address: "redfish://bmc.test" });
  return { server, adapter, network, hosts, run: <T>(call: Promise<T>) => clock.until(call) };
}
