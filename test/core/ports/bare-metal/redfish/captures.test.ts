import { describe, expect, it } from "vitest";
import { minutes } from "../../../../../core/clock.ts";
import { toAppError } from "../../../../../core/error.ts";
import { RedfishError } from "../../../../../sim/bmc/error.ts";
import {
  type CaptureName,
  haveCaptures,
  linksIn,
  within,
} from "../../../../support/captures/capture.ts";
import { captured } from "../../../../support/captures/captured.ts";
import type { Sent } from "../../../../support/captures/controller.ts";
import { sessionsOfIdrac8 } from "../../../../support/captures/patches.ts";
import { unlicensed } from "../../../../support/captures/refusals.ts";

/** The adapter on what real controllers have shown, over real HTTP. */

const image = "http://images.test/discovery.iso";
const loader = "http://site.test/loader.efi";

/** What is read, and what is sent for each thing that is asked, and why that cannot be. */
interface Found {
  power: string;
  nics: number;
  /** How many drives there are, and how they can be erased. */
  drives: string;
  off: string[];
  insert: string[];
  media: string[];
  eject: string[];
  http: string[];
  on: string[];
  cycle: string[];
  erase: string[];
}

const asked = [
  ...["off", "insert", "media", "eject", "http", "on", "cycle", "erase"],
] as const satisfies (keyof Found)[];

const reset = (system: string, ResetType: string) => [
  `POST /Systems/${system}/Actions/ComputerSystem.Reset ${JSON.stringify({ ResetType })}`,
];
const power = (system: string) => ({
  power: "on",
  off: reset(system, "ForceOff"),
  on: reset(system, "On"),
  cycle: reset(system, "ForceRestart"),
});
const boot = (path: string, Boot: object, ifMatch = "") => [
  `PATCH ${path} ${JSON.stringify({ Boot })}${ifMatch}`,
];
const once = { BootSourceOverrideEnabled: "Once" };
const cd = { BootSourceOverrideTarget: "Cd", ...once };
const http = { BootSourceOverrideTarget: "UefiHttp", HttpBootUri: loader };
const slot = (path: string, body: object = { Image: image }) => ({
  insert: [`POST ${path}/Actions/VirtualMedia.InsertMedia ${JSON.stringify(body)}`],
  eject: [`POST ${path}/Actions/VirtualMedia.EjectMedia {}`],
});
const noDrive = "the server's controller has no virtual CD drive";
const noMedia = { insert: [noDrive], eject: [] };
const noUri =
  "the server's controller refuses: The property HttpBootUri is not in the list of valid properties for the resource.";
/** Its sources of boots; a boot from the network needs a URL. */
const noHttp = (names: string) => [`the server cannot boot from UefiHttp, only from ${names}`];
const openBmc = "None, Pxe, Hdd, Cd, Diags, BiosSetup, Usb";
const nothing = { drives: "0", erase: [] };
const unerasable = (count: number) => ({ drives: `${count} by nothing`, erase: [] });
const transferred = (path: string) => {
  const { insert, eject } = slot(path, { Image: image, TransferProtocolType: "HTTP" });
  return { insert: [...slot(path).insert, ...insert], eject };
};

const dell = "System.Embedded.1";
const erasedByDell = (name: string) => [
  `POST /Systems/${dell}/Storage/CPU.1/Drives/${name}:Enclosure.Internal.0-1/Actions/Drive.SecureErase {}`,
];
const ofDell = {
  ...power(dell),
  ...slot(`/Systems/${dell}/VirtualMedia/1`),
  media: boot(`/Systems/${dell}`, cd),
  http: [...boot(`/Systems/${dell}`, http), noUri],
};
const refused =
  "the server's controller refuses: There are insufficient privileges for the account or credentials associated with the current session to perform the requested operation.";

const found: [CaptureName, Found][] = [
  ["dell", { ...ofDell, nics: 5, drives: "3 by cryptographic", erase: erasedByDell("Disk.Bay.2") }],
  [
    "dell-multi-dpu",
    { ...ofDell, nics: 4, drives: "2 by cryptographic", erase: erasedByDell("Disk.Bay.6") },
  ],
  [
    "dmtf-rackmount",
    {
      ...power("437XR1138R2"),
      nics: 4,
      insert: [
        'PATCH /Systems/437XR1138R2/VirtualMedia/CD1 {"Image":null,"Inserted":false}',
        `PATCH /Systems/437XR1138R2/VirtualMedia/CD1 {"Image":"${image}","Inserted":true,"WriteProtected":true}`,
      ],
      eject: ['PATCH /Systems/437XR1138R2/VirtualMedia/CD1 {"Image":null,"Inserted":false}'],
      media: boot("/Systems/437XR1138R2", { BootSourceOverrideTarget: "Cd" }),
      http: noHttp("None, Pxe, Cd, Usb, Hdd, BiosSetup, Utilities, Diags, SDCard, UefiTarget"),
      ...unerasable(2),
    },
  ],
  [
    "hpe",
    {
      ...power("1"),
      ...slot("/Managers/1/VirtualMedia/2"),
      nics: 7,
      media: boot("/Systems/1", cd, " if-match"),
      http: [...boot("/Systems/1", http, " if-match"), noUri],
      ...unerasable(18),
    },
  ],
  [
    "lenovo",
    {
      ...power("1"),
      nics: 5,
      insert: [
        `PATCH /Systems/1/VirtualMedia/EXT1 {"Image":"${image}","Inserted":true,"WriteProtected":true} if-match`,
      ],
      eject: ['PATCH /Systems/1/VirtualMedia/EXT1 {"Image":null,"Inserted":false} if-match'],
      media: boot("/Systems/1", cd, " if-match"),
      http: noHttp("None, Pxe, Cd, Usb, Hdd, BiosSetup, Diags, UefiTarget"),
      ...unerasable(4),
    },
  ],
  [
    "nvidia-dpu",
    {
      ...power("Bluefield"),
      ...noMedia,
      nics: 3,
      media: boot("/Systems/Bluefield/Settings", cd),
      http: boot("/Systems/Bluefield/Settings", http),
      ...nothing,
    },
  ],
  [
    "nvidia-gb200",
    {
      ...power("System_0"),
      ...transferred("/Managers/BMC_0/VirtualMedia/USB2"),
      nics: 0,
      drives: "9 by cryptographic, block",
      media: boot("/Systems/System_0/Settings", cd),
      http: noHttp(openBmc),
      erase: [
        'POST /Chassis/StorageBackplane_0/Drives/200/Actions/Drive.SecureErase {"SanitizationType":"CryptographicErase"}',
      ],
    },
  ],
  [
    "nvidia-gbswitch",
    {
      ...power("System_0"),
      ...noMedia,
      nics: 0,
      media: boot("/Systems/System_0", cd),
      http: noHttp(openBmc),
      ...nothing,
    },
  ],
  [
    "nvidia-gh200",
    {
      ...power("System_0"),
      ...transferred("/Managers/BMC_0/VirtualMedia/USB2"),
      nics: 0,
      media: boot("/Systems/System_0/Settings", cd),
      http: noHttp(openBmc),
      ...nothing,
    },
  ],
  [
    "nvidia-viking",
    {
      ...power("DGX"),
      ...noMedia,
      nics: 5,
      media: boot("/Systems/DGX/SD", cd, " if-match"),
      http: boot("/Systems/DGX/SD", http, " if-match"),
      ...unerasable(15),
    },
  ],
  [
    "supermicro",
    {
      ...power("1"),
      ...slot("/Managers/1/VirtualMedia/VirtualMedia1"),
      nics: 12,
      media: boot("/Systems/1", { ...cd, BootSourceOverrideTarget: "UsbCd" }, " if-match"),
      // Supermicro's forget that it is for once where that is not sent with the target.
      http: [
        ...boot(
          "/Systems/1",
          { BootSourceOverrideTarget: "UefiHttp", ...once, HttpBootUri: loader },
          " if-match",
        ),
        noUri,
      ],
      ...unerasable(8),
    },
  ],
];

const inWords = ({ method, path, body, ifMatch }: Sent): string =>
  `${method} ${path.replace("/redfish/v1", "")} ${JSON.stringify(body)}${ifMatch ? " if-match" : ""}`;

describe.skipIf(!haveCaptures())("a controller as it was captured", () => {
  it.each(found)("%s: what is read, and what is sent", async (name, expected) => {
    const { server, controller, capture, clock } = await captured(name);
    const said = async (call: () => Promise<unknown>): Promise<string[]> => {
      const before = controller.sent.length;
      const failure = await call().then(
        () => [],
        (error: unknown) => [toAppError(error).message],
      );
      return [...controller.sent.slice(before).map(inWords), ...failure];
    };
    const system = capture.get(`/redfish/v1/Systems/${idOf(expected)}`);
    const identity = await server.identify();
    expect(identity).toMatchObject({
      ...(system?.SerialNumber ? { serial: system.SerialNumber } : {}),
      ...(system?.UUID ? { uuid: String(system.UUID).toLowerCase() } : {}),
    });
    const { power } = await server.observe();
    const drives = await server.drives.list();
    const methods = new Set(drives.map((drive) => drive.methods.join(", ") || "nothing"));
    const ways = [...methods].map((each) => ` by ${each}`);
    const [manager = ""] = linksIn(within(system?.Links).ManagedBy);
    expect(await server.firmware.versions()).toMatchObject({
      bmc: capture.get(manager)?.FirmwareVersion,
    });
    const steps: Record<(typeof asked)[number], () => Promise<unknown>> = {
      off: () => server.powerOff("forced"),
      insert: () => server.insertMedia(image),
      media: () => server.bootOnce({ from: "media" }),
      eject: () => server.ejectMedia(),
      http: () => server.bootOnce({ from: "http", url: loader }),
      on: () => server.powerOn(),
      cycle: () => server.powerCycle(),
      async erase() {
        const [drive] = drives;
        const [method] = drive?.methods ?? [];
        if (drive && method) await server.drives.erase(drive.id, method);
      },
    };
    const seen: Record<string, unknown> = { power, nics: identity.macs.length };
    for (const step of asked) {
      seen[step] = await said(steps[step]);
      await clock.advance(minutes(5));
    }
    expect({ ...seen, drives: `${drives.length}${ways.join("")}` }).toEqual(expected);
    expect(drives.every((drive) => drive.name !== "")).toBe(true);
  });

  it("forbidden: says what the controller says", async () => {
    const { server } = await captured("forbidden");
    for (const call of [server.observe(), server.drives.list(), server.powerOff("forced")])
      await expect(call).rejects.toMatchObject({ kind: "Rejected", message: refused });
  });
});

/** The id of the system that is reset. */
const idOf = ({ on }: Found): string => /Systems\/([^/]+)/.exec(on[0] ?? "")?.[1] ?? "";

describe.skipIf(!haveCaptures())("a controller that differs from its capture", () => {
  it.each([301, 302, 307, 308])(
    "hpe: sends each path without a slash to the one with it by %i, also what changes something",
    async (status) => {
      const redirect = (_: string, path: string) =>
        path.endsWith("/") ? undefined : { status, location: `${path}/` };
      const { server, controller } = await captured("hpe", { quirks: { redirect } });
      await server.powerOff("forced");
      await server.bootOnce({ from: "media" });
      const done = controller.sent.filter((each) => each.status < 300);
      expect(done).toMatchObject([
        { method: "POST", body: { ResetType: "ForceOff" } },
        { method: "PATCH", body: { Boot: cd }, ifMatch: expect.stringMatching(/^W\//) },
      ]);
      expect(await server.drives.list()).toHaveLength(18);
    },
  );

  it("supermicro: redirects the login of a session", async () => {
    const redirect = (method: string, path: string) =>
      method === "POST" && path.endsWith("/Sessions")
        ? { status: 301, location: `${path}/` }
        : undefined;
    const at = await captured("supermicro", { quirks: { redirect } });
    const server = at.adapter({ authentication: "session" });
    expect(await server.observe()).toMatchObject({ power: "on" });
    await server.close();
    expect(at.controller.sessions).toBe(0);
  });

  it("dell: has its sessions where its root says, as iDRAC 8, and no other", async () => {
    const at = await captured("dell", { patch: sessionsOfIdrac8 });
    const server = at.adapter({ authentication: "session" });
    expect(await server.observe()).toMatchObject({ power: "on" });
    expect(at.controller.sent.map(({ path }) => path)).toEqual(["/redfish/v1/Sessions"]);
    await server.close();
    expect(at.controller.sessions).toBe(0);
  });

  it("dell: shows no virtual drives without a licence, and all else goes on", async () => {
    const refuse = (_: string, path: string) =>
      path.includes("/VirtualMedia") ? unlicensed() : undefined;
    const { server } = await captured("dell", { quirks: { refuse } });
    expect(await server.observe()).toEqual({ power: "on" });
    await server.ejectMedia();
    await server.bootOnce({ from: "network" });
    await expect(server.insertMedia(image)).rejects.toMatchObject({
      kind: "Rejected",
      message:
        "the server's controller refuses: The operation is not permitted because the required license is not installed.",
    });
  });

  it("lenovo: answers late, and not at all within the time that a call has", async () => {
    const at = await captured("lenovo", { quirks: { delay: 200 } });
    expect(await at.server.observe()).toMatchObject({ power: "on" });
    await expect(at.adapter({ timeout: 50 }).observe()).rejects.toMatchObject({
      kind: "Unavailable",
    });
  });

  it("hpe: is not able to answer for a while", async () => {
    let left = 3;
    const refuse = () => {
      left -= 1;
      return left < 0
        ? undefined
        : new RedfishError(503, "Base.1.12.ServiceTemporarilyUnavailable", "");
    };
    const { server } = await captured("hpe", { quirks: { refuse } });
    for (let time = 0; time < 3; time += 1)
      await expect(server.observe()).rejects.toMatchObject({ kind: "Unavailable" });
    expect(await server.observe()).toMatchObject({ power: "on" });
  });
});
