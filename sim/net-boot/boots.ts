import { durations } from "../durations.ts";
import { type Call, callsOf, instanceIn, type Seed, seedUrlIn } from "./cloud-init.ts";
import { led } from "./ipxe.ts";

/** What a server runs while it boots from the network. `at` is the time of its next step. */
export type NetBoot =
  /** The firmware loads a program. */
  | { system: "firmware"; url: string; at: number }
  /** iPXE loads a script, with the settings of the previous one. */
  | { system: "ipxe"; url: string; settings?: Record<string, string>; at: number }
  /** An installer reads its seed, and then writes an image to the disk. */
  | { system: "installer"; args: string[]; at: number }
  | { system: "installing"; installed: Installed; at: number }
  /** The installed image; `at` is absent after it has reported its start. */
  | { system: "instance"; installed: Installed; calls: Call[]; tries: number; at?: number }
  /** The server has stopped, with this message on its console. */
  | { system: "halted"; why: string };

/** What an installer has written to a disk. */
export interface Installed {
  image: string;
  seed: Seed;
}

/** The mark of an installed image on a disk, for the machine, which knows no more of it. */
export const markOf = ({ seed }: Installed): string => `instance ${instanceIn(seed)}`;

/** What a network boot needs from its surroundings. */
export interface Surroundings {
  now: number;
  /** The address that DHCP assigned. */
  address?: string;
  /** Sends a request. Throws when nothing answers. */
  ask(request: Request): Promise<Response>;
  /** Whether a fault holds up its next step. */
  isHeld(what: "image" | "phone home"): boolean;
  /** The hub that serves its discovery image at this URL now. */
  imageOf(url: string): string | undefined;
}

/** The result of a step of a boot. */
export type Next =
  | NetBoot
  | { system: "discovery"; hub: string }
  /** The firmware boots the disk next. */
  | { system: "disk" }
  /** An image was written, and the machine restarts. */
  | { system: "written"; installed: Installed };

const takes = durations.netBoot;

/** The next step of a boot, which is due; undefined when there is none. */
export async function goneOn(runs: NetBoot, around: Surroundings): Promise<Next | undefined> {
  try {
    return await stepped(runs, around);
  } catch (error) {
    return { system: "halted", why: error instanceof Error ? error.message : String(error) };
  }
}

async function stepped(runs: NetBoot, around: Surroundings): Promise<Next | undefined> {
  const { now } = around;
  switch (runs.system) {
    case "firmware": {
      await loaderAt(runs.url, around);
      // iPXE looks for its script next to itself, by the original URL.
      const url = new URL("autoexec.ipxe", runs.url).href;
      return { system: "ipxe", url, at: now + takes.loader };
    }
    case "ipxe":
      return scripted(runs, around);
    case "installer":
      return seeded(runs.args, around);
    case "installing":
      if (around.isHeld("image")) throw new Error("the image cannot be written");
      return { system: "written", installed: runs.installed };
    case "instance":
      return told(runs, around);
    case "halted":
      return undefined;
  }
}

/** Loads a program as firmware does, following at most one redirect. */
async function loaderAt(url: string, around: Surroundings): Promise<void> {
  const answer = await around.ask(new Request(url, { redirect: "manual" }));
  const location = answer.headers.get("location");
  if (answer.status === 302 && location !== null) return void (await loaded(location, around));
  if (!answer.ok) throw new Error(`HTTP boot of a URL is answered with ${answer.status}`);
  if ((await answer.text()).startsWith("#!")) throw new Error("HTTP boot: this is no EFI program");
}

/** Loads a URL. Its errors omit the path, which may contain a token. */
export async function loaded(url: string, { ask }: Pick<Surroundings, "ask">): Promise<string> {
  const answer = await ask(new Request(url));
  if (!answer.ok) throw new Error(`${new URL(url).host} answers ${answer.status}`);
  return answer.text();
}

async function scripted(
  { url, settings }: NetBoot & { system: "ipxe" },
  around: Surroundings,
): Promise<Next> {
  const { now, imageOf, address = "" } = around;
  const end = led(await loaded(url, around), url, { ...settings, "net0/ip": address });
  if (end.to === "disk") return { system: "disk" };
  if (end.to === "script") {
    const hub = imageOf(end.url);
    if (hub === undefined) {
      const { url, settings } = end;
      return { system: "ipxe", url, settings, at: now + takes.script };
    }
    await reportHealth(url, around);
    return { system: "discovery", hub };
  }
  for (const file of [end.kernel, ...end.initrds]) await loaded(file, around);
  return { system: "installer", args: end.args, at: now + takes.installer };
}

/** The provider's health report in the discovery image, authenticated by the token in the boot URL. */
async function reportHealth(url: string, { ask }: Surroundings): Promise<void> {
  const [, contract, token] = /^(.*\/site\/v1)\/boot\/([^/]+)/.exec(url) ?? [];
  if (contract === undefined) return;
  const body = JSON.stringify({ successes: [{ id: "memory" }], alerts: [] });
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const report = new Request(`${contract}/health`, { method: "POST", body, headers });
  // The discovery image runs even if nobody accepts its report.
  await ask(report).catch(() => undefined);
}

/** Our installer: reads the image and the seed in its kernel's arguments. */
async function seeded(args: readonly string[], around: Surroundings): Promise<NetBoot> {
  const image = args.find((arg) => arg.startsWith("image="))?.slice("image=".length);
  if (image === undefined) throw new Error("the installer was given no image=");
  const from = seedUrlIn(args);
  if (from === undefined) throw new Error("the installer was given no seed");
  if (!from.endsWith("/")) throw new Error("the URL of the seed does not end in a slash");
  const part = (name: string) => loaded(`${from}${name}`, around);
  const network = await around.ask(new Request(`${from}network-config`));
  const seed: Seed = {
    "meta-data": await part("meta-data"),
    "user-data": await part("user-data"),
    "vendor-data": await part("vendor-data"),
    ...(network.ok && { "network-config": await network.text() }),
  };
  return { system: "installing", installed: { image, seed }, at: around.now + takes.image };
}

/** The start of the system on a disk. */
export function started(installed: Installed, isFirst: boolean, at: number): NetBoot {
  try {
    const calls = callsOf(installed.seed, isFirst);
    return { system: "instance", installed, calls, tries: 0, at: at + takes.start };
  } catch (error) {
    return { system: "halted", why: `cloud-init: ${String(error)}` };
  }
}

/** The most attempts of a system to report its start. */
const mostTries = 60;

async function told(
  runs: NetBoot & { system: "instance" },
  { now, ask, isHeld }: Surroundings,
): Promise<NetBoot> {
  const { at: _, ...rest } = runs;
  const [call, ...others] = runs.calls;
  if (!call) return rest;
  if (isHeld("phone home")) return { ...runs, at: now + durations.held };
  const isTold = await ask(
    new Request(call.url, {
      method: "POST",
      body: call.body,
      headers: { "Content-Type": call.type },
    }),
  ).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isTold) return { ...runs, calls: others, tries: 0, at: now };
  const tries = runs.tries + 1;
  return tries < mostTries ? { ...runs, tries, at: now + takes.retry } : rest;
}
