import { durations } from "../durations.ts";
import { type Call, callsOf, instanceIn, type Seed, seedUrlIn } from "./cloud-init.ts";
import { led } from "./ipxe.ts";

/** What a server runs while it boots from the network, and what comes of that. `at`: when it continues. */
export type NetBoot =
  /** Its firmware loads a program. */
  | { system: "firmware"; url: string; at: number }
  /** iPXE loads a script, with what the one before has set. */
  | { system: "ipxe"; url: string; settings?: Record<string, string>; at: number }
  /** An installer reads its seed, and then writes an image on the disk. */
  | { system: "installer"; args: string[]; at: number }
  | { system: "installing"; installed: Installed; at: number }
  /** The image that was written there; `at` is absent once it has reported its start. */
  | { system: "instance"; installed: Installed; calls: Call[]; tries: number; at?: number }
  /** It stands still, with this on its console. */
  | { system: "halted"; why: string };

/** What an installer has written on a disk. */
export interface Installed {
  image: string;
  seed: Seed;
}

/** Who has written an image on a disk, for the machine that knows no more of it. */
export const markOf = ({ seed }: Installed): string => `instance ${instanceIn(seed)}`;

/** What a server that boots from the network has around it. */
export interface Surroundings {
  now: number;
  /** The address that DHCP gave it. */
  address?: string;
  /** Throws when nobody answers. */
  ask(request: Request): Promise<Response>;
  /** Whether what it does next goes wrong, and for how long. */
  isHeld(what: "image" | "phone home"): boolean;
  /** The hub whose discovery image this URL serves now. */
  imageOf(url: string): string | undefined;
}

/** What follows a step of a boot. */
export type Next =
  | NetBoot
  | { system: "discovery"; hub: string }
  /** Its firmware continues to the disk. */
  | { system: "disk" }
  /** An image was written, and the machine restarts. */
  | { system: "written"; installed: Installed };

const takes = durations.netBoot;

/** The next step of a boot, once its time has come. Undefined when there is none. */
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
      // Beside itself, by the URL that it was asked for.
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

/** Loads a program, as firmware does: it follows where the server leads it, once. */
async function loaderAt(url: string, around: Surroundings): Promise<void> {
  const answer = await around.ask(new Request(url, { redirect: "manual" }));
  const location = answer.headers.get("location");
  if (answer.status === 302 && location !== null) return void (await loaded(location, around));
  if (!answer.ok) throw new Error(`HTTP boot of a URL is answered with ${answer.status}`);
  if ((await answer.text()).startsWith("#!")) throw new Error("HTTP boot: this is no EFI program");
}

/** Throws with no word of the path, which may have a token in it. */
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

/** What the provider has put into the discovery image: it reports by the token in the URL that it was booted from. */
async function reportHealth(url: string, { ask }: Surroundings): Promise<void> {
  const [, contract, token] = /^(.*\/site\/v1)\/boot\/([^/]+)/.exec(url) ?? [];
  if (contract === undefined) return;
  const body = JSON.stringify({ successes: [{ id: "memory" }], alerts: [] });
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const report = new Request(`${contract}/health`, { method: "POST", body, headers });
  // The image runs all the same where nobody takes it.
  await ask(report).catch(() => undefined);
}

/** An installer of ours: it takes the image and the seed that its kernel's arguments name. */
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

/** The start of what was written on a disk. */
export function started(installed: Installed, isFirst: boolean, at: number): NetBoot {
  try {
    const calls = callsOf(installed.seed, isFirst);
    return { system: "instance", installed, calls, tries: 0, at: at + takes.start };
  } catch (error) {
    return { system: "halted", why: `cloud-init: ${String(error)}` };
  }
}

/** How often a system tries to report its start. */
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
