import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { hours, minutes, seconds } from "../../../core/clock.ts";
import { metaData, phoningHome } from "../../../core/machine/cloud-init.ts";
import { bootKernel, chainTo } from "../../../core/machine/ipxe.ts";
import { urlsOf } from "../../../core/machine/urls.ts";
import { openDatabase } from "../../../sim/database.ts";
import { hostId, type NewHost } from "../../../sim/host.ts";
import { files } from "../../../sim/net-boot/files.ts";
import { controllerOf, machineOf, newServer } from "../../support/servers.ts";
import { advanceUntil, type TestWorld, testWorld } from "../../support/sim-world.ts";

let test: TestWorld;
let host: NewHost;
let folder: string;
/** What was asked of the site controller. */
let asked: string[];
/** What it answers to a boot. */
let script: string;

const urls = urlsOf("http://boot.sim", "t0k3n");
const installer = bootKernel({
  ...files.installer,
  args: ["image=debian-12", `ds=nocloud;s=${urls.seed}`],
});
const seed: Record<string, string> = {
  "meta-data": metaData({ instanceId: "i1", hostname: "web", keys: [] }),
  "user-data": "#cloud-config\n",
  "vendor-data": phoningHome({ instanceId: "i1", url: urls.phoneHome }),
};

async function answer(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.replace("/site/v1/", "").replace("/t0k3n", "");
  const body = request.method === "POST" ? await request.text() : "";
  asked.push(
    [request.method, path, body && (body.startsWith("{") ? "json" : "form")]
      .filter(Boolean)
      .join(" "),
  );
  if (path === "boot/ipxe.efi")
    return new Response(null, { status: 302, headers: { Location: files.loader } });
  if (path === "boot/autoexec.ipxe") return new Response(script);
  if (path === "phone-home") return new Response(null, { status: 204 });
  const text = seed[path.replace("seed/", "")];
  return text === undefined ? new Response(null, { status: 404 }) : new Response(text);
}

async function opened(at?: number): Promise<void> {
  test = await testWorld({ database: openDatabase(join(folder, "world.sqlite")) }, at);
  test.world.network.siteController = answer;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "slipway-boots-"));
  asked = [];
  script = installer;
  host = newServer("server-1", 1);
  await opened();
  test.world.addHost(host);
  await test.clock.advance(seconds(1));
});

afterEach(async () => {
  await test.world.stop();
  test.database.close();
  await rm(folder, { recursive: true, force: true });
});

const bmc = () => controllerOf(test.world, test.clock, host);
const runs = () => test.world.runs(hostId(host.name));
const until = (system: string) =>
  advanceUntil(test.clock, () => runs()?.system === system, hours(1));

async function boot(url = urls.loader): Promise<void> {
  await test.clock.until(bmc().bootOnce({ from: "http", url }));
  await test.clock.advance(seconds(20));
  await test.clock.until(bmc().powerCycle());
}

const all = [
  "GET boot/ipxe.efi",
  "GET boot/autoexec.ipxe",
  "GET seed/network-config",
  "GET seed/meta-data",
  "GET seed/user-data",
  "GET seed/vendor-data",
];
const reports = ["POST phone-home form", "POST phone-home json"];

it("loads iPXE, its script and an installer, which writes the image; that reports its start", async () => {
  await boot();
  await until("instance");
  expect(asked).toEqual(all);
  expect(machineOf(test.world, host)?.drives.map(({ written }) => written)).toEqual([
    "instance i1",
    "instance i1",
  ]);
  await test.clock.advance(minutes(3));
  expect(asked).toEqual([...all, ...reports]);
  expect(runs()).not.toHaveProperty("at");
});

it("starts from its disk when it is restarted, and reports that once more", async () => {
  await boot();
  await until("instance");
  await test.clock.advance(minutes(3));
  asked = [];
  await test.clock.until(bmc().powerCycle());
  await test.clock.advance(minutes(10));
  expect(asked).toEqual(["POST phone-home json"]);
});

it("goes on where it was when the world is opened again, at each moment", async () => {
  await boot();
  for (let n = 0; n < 40; n++) {
    await test.clock.advance(seconds(20));
    await test.world.stop();
    test.database.close();
    await opened(test.clock.now());
  }
  await test.clock.advance(minutes(5));
  expect(runs()?.system).toBe("instance");
  expect(new Set(asked)).toEqual(new Set([...all, ...reports]));
});

it("an erased disk has nothing of it", async () => {
  await boot();
  await until("instance");
  const { machines } = test.world.bmcs;
  const machine = machineOf(test.world, host);
  if (machine)
    machines.put({ ...machine, drives: machine.drives.map(({ written: _, ...drive }) => drive) });
  await test.clock.until(bmc().powerCycle());
  await test.clock.advance(minutes(10));
  expect(runs()).toEqual({ system: "none" });
});

it("runs a hub's discovery image where a script leads there", async () => {
  script = chainTo(test.world.hub("hub-a").image ?? "");
  await boot();
  await until("discovery");
});

it.each([
  [
    "a URL that is a script",
    () => boot(`${urls.boot}/autoexec.ipxe`),
    "HTTP boot: this is no EFI program",
  ],
  ["a host that is not there", () => boot("http://nowhere.sim/ipxe.efi"), "fetch failed"],
  [
    "a command that iPXE does not know",
    () => {
      script = "#!ipxe\nsanboot x\n";
      return boot();
    },
    "sanboot: command not found",
  ],
  [
    "an installer that is not there",
    () => {
      script = installer.replace("vmlinuz", "other");
      return boot();
    },
    "files.sim answers 404",
  ],
  [
    "a site controller that fails",
    () => {
      test.world.faults.add({
        target: "machines",
        operation: "GET /site/v1/boot",
        fault: "error",
        status: 503,
      });
      return boot();
    },
    "HTTP boot of a URL is answered with 503",
  ],
  [
    "a seed that cannot be had",
    () => {
      test.world.faults.add({
        target: "machines",
        operation: "GET /site/v1/seed/user-data",
        fault: "crash_before",
      });
      return boot();
    },
    "fetch failed",
  ],
  [
    "an image that cannot be written",
    () => {
      test.world.faults.add({ target: "bmc:server-1", operation: "image", fault: "hold" });
      return boot();
    },
    "the image cannot be written",
  ],
])("stands still at %s, until it is started again", async (_, go, why) => {
  await go();
  await until("halted");
  expect(runs()).toMatchObject({ why: expect.stringContaining(why) });
  expect(JSON.stringify(runs())).not.toContain("t0k3n");
  await test.clock.advance(hours(1));
  expect(runs()?.system).toBe("halted");
  test.world.faults.clear();
  script = installer;
  await boot();
  await until("instance");
});

it("boots its disk when DHCP does not answer it", async () => {
  test.world.faults.add({ target: "bmc:server-1", operation: "address", fault: "hold" });
  await boot();
  await test.clock.advance(minutes(10));
  expect(runs()).toEqual({ system: "none" });
  expect(asked).toEqual([]);
});

it("reports when it can: a start that is not heard is told again", async () => {
  test.world.faults.add({
    target: "machines",
    operation: "POST /site/v1/phone-home",
    fault: "error",
    status: 503,
    count: 3,
  });
  await boot();
  await until("instance");
  await test.clock.advance(minutes(5));
  expect(asked.filter((each) => each.startsWith("POST"))).toEqual(reports);
});

it("never reports while that is held up", async () => {
  test.world.faults.add({ target: "bmc:server-1", operation: "phone home", fault: "hold" });
  await boot();
  await until("instance");
  await test.clock.advance(hours(1));
  expect(asked).toEqual(all);
  test.world.faults.clear();
  await test.clock.advance(minutes(1));
  expect(asked).toEqual([...all, ...reports]);
});
