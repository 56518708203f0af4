import { describe, expect, it } from "vitest";
import { wrongInBooks } from "../support/books.ts";
import { type CaptureName, haveCaptures, within } from "../support/captures/capture.ts";
import type { Sent } from "../support/captures/controller.ts";
import { erasureAnnounced, sessionsOfIdrac8 } from "../support/captures/patches.ts";
import { type HostOptions, openCapturedSite } from "../support/captures/site.ts";
import { settledDpu } from "../support/dpus.ts";
import { bootFromNetwork, hostOf, withMetal } from "../support/managed-hosts.ts";

/** The sagas on what real controllers have shown, over real HTTP: what each was sent, and how it ended. */

/** What a controller was sent and took, each once, in the order of the first; without sessions. */
function takenBy(sent: readonly Sent[]): string[] {
  const taken = sent.filter(({ status, path }) => status < 300 && !path.includes("/Sessions"));
  return [...new Set(taken.map(inWords))];
}

const loginsIn = (sent: readonly Sent[]): number =>
  sent.filter(
    ({ method, path, status }) => method === "POST" && status === 201 && /Sessions\/?$/.test(path),
  ).length;

function inWords({ method, path, body }: Sent): string {
  const { ResetType, SanitizationType, Boot, Image } = within(body);
  const { BootSourceOverrideTarget: target } = within(Boot);
  if (target !== undefined) return `boot from ${target}`;
  if (method === "PATCH") return Image === null ? "eject" : "insert";
  const action = path.replace(/\/$/, "").split(/[./]/).at(-1);
  return [action, ResetType ?? SanitizationType].filter(Boolean).join(" ");
}

const off = "Reset ForceOff";
const on = "Reset On";
const crypto = "SecureErase CryptographicErase";
/** Of controllers that erase what is on: it boots for that, and boots again to be discovered. */
const byMedia = (cd = "boot from Cd", insert = "InsertMedia", eject = "EjectMedia") => [
  ...[off, insert, cd, on, crypto, eject],
];
const available = "HOST_STATE_AVAILABLE";
const quarantined = "HOST_STATE_QUARANTINED";
const noErasure = (drive: string) =>
  new RegExp(`^expected drive ${drive} to offer a way to be erased; its controller offers none$`);

const redirect = (status: number, isSo: (method: string, path: string) => boolean) => ({
  redirect: (method: string, path: string) =>
    isSo(method, path) && !path.endsWith("/") ? { status, location: `${path}/` } : undefined,
});

interface Case {
  capture: CaptureName;
  /** What differs from the capture, in words. */
  as: string;
  options?: HostOptions;
  network?: true;
  sent: string[];
  state: string;
  /** Why this hardware cannot. */
  message?: RegExp;
}

const cases: Case[] = [
  {
    ...{ capture: "dell", as: "captured", state: available },
    // Its drives are erased when it starts next.
    sent: [off, "SecureErase", "InsertMedia", "boot from Cd", on, "EjectMedia"],
  },
  {
    ...{ capture: "dell-multi-dpu", as: "captured", state: available },
    sent: [off, "SecureErase", "InsertMedia", "boot from Cd", on, "EjectMedia"],
  },
  {
    ...{ capture: "dell", as: "with the path of sessions of iDRAC 8", state: available },
    options: { patch: sessionsOfIdrac8, authentication: "session" },
    sent: [off, "SecureErase", "InsertMedia", "boot from Cd", on, "EjectMedia"],
  },
  {
    ...{ capture: "dell", as: "captured, from the network", network: true, state: quarantined },
    sent: [off, "SecureErase"],
    message:
      /^the server's controller refuses: The property HttpBootUri is not in the list of valid properties for the resource\.$/,
  },
  {
    ...{ capture: "nvidia-gb200", as: "captured", state: available },
    sent: byMedia(),
  },
  {
    ...{ capture: "nvidia-gh200", as: "captured, without drives", state: available },
    sent: [off, "InsertMedia", "boot from Cd", on, "EjectMedia"],
  },
  {
    ...{ capture: "hpe", as: "captured", sent: [off], state: quarantined },
    message: noErasure("Secondary Storage Device \\(serial number \\S+\\)"),
  },
  {
    ...{ capture: "hpe", as: "with an erasure announced and redirects", state: available },
    options: { patch: erasureAnnounced, quirks: redirect(308, () => true) },
    sent: byMedia(),
  },
  {
    ...{ capture: "supermicro", as: "captured", sent: [off], state: quarantined },
    message: noErasure("Disk\\.Bay\\.0 \\(serial number \\S+\\)"),
  },
  {
    capture: "supermicro",
    ...{ as: "with an erasure announced and a redirected login", state: available },
    options: {
      patch: erasureAnnounced,
      authentication: "session",
      quirks: redirect(301, (method, path) => method === "POST" && /Sessions$/.test(path)),
    },
    sent: byMedia("boot from UsbCd"),
  },
  {
    ...{ capture: "lenovo", as: "captured", sent: [off], state: quarantined },
    message: noErasure("960GB M\\.2 NVMe SSD \\(serial number \\S+\\)"),
  },
  {
    ...{ capture: "lenovo", as: "with an erasure announced", state: available },
    options: { patch: erasureAnnounced },
    sent: byMedia("boot from Cd", "insert", "eject"),
  },
  {
    ...{ capture: "nvidia-viking", as: "captured", network: true, state: quarantined },
    sent: [off],
    message: noErasure("NVMe_Device0_NSID1"),
  },
  {
    ...{ capture: "nvidia-viking", as: "with an erasure announced, from the network" },
    ...{ network: true, options: { patch: erasureAnnounced }, state: available },
    sent: [off, "boot from UefiHttp", on, crypto],
  },
  {
    ...{ capture: "nvidia-viking", as: "with an erasure announced, by media" },
    ...{ options: { patch: erasureAnnounced }, sent: [off], state: quarantined },
    message: /^the server's controller has no virtual CD drive$/,
  },
  {
    ...{ capture: "nvidia-gbswitch", as: "captured, which is no server", state: quarantined },
    sent: [off],
    message: /^the server's controller has no virtual CD drive$/,
  },
  {
    ...{ capture: "nvidia-gbswitch", as: "captured, from the network", network: true },
    ...{ sent: [off], state: quarantined },
    message: /^the server cannot boot from UefiHttp, only from None, Pxe, Hdd, Cd, /,
  },
  {
    ...{ capture: "dmtf-rackmount", as: "captured", state: quarantined },
    sent: [off, "eject"],
    message: noErasure("SATA Bay 1"),
  },
  {
    ...{ capture: "forbidden", as: "captured", sent: [], state: quarantined },
    message: /^the server's controller refuses: There are insufficient privileges /,
  },
];

describe.skipIf(!haveCaptures())("a host whose controller was captured", () => {
  it.each(cases)("$capture, as $as: $state", async ({ capture, options, network, ...expected }) => {
    const { site, addHost } = await openCapturedSite();
    await withMetal(site);
    if (network) await bootFromNetwork(site);
    const { id, controller } = await addHost(capture, options);
    await site.laptop.until(async () => {
      const { state } = (await hostOf(site, id)).status;
      return state === available || state === quarantined;
    }, "the end of the discovery");
    const { state, message } = (await hostOf(site, id)).status;
    const { sent, message: why = /^$/ } = expected;
    expect({ state, sent: takenBy(controller.sent) }, message).toEqual({
      state: expected.state,
      sent,
    });
    expect(message ?? "").toMatch(why);
    // Each session that was opened has ended.
    expect(loginsIn(controller.sent) > 0).toBe(options?.authentication === "session");
    expect(controller.sessions).toBe(0);
    expect(await wrongInBooks(site)).toEqual([]);
  });
});

describe.skipIf(!haveCaptures())("a DPU whose controller was captured", () => {
  it("nvidia-dpu, as captured: DPU_STATE_READY", { tags: "smoke" }, async () => {
    const { site, addDpu } = await openCapturedSite();
    await withMetal(site);
    const { id, controller } = await addDpu("nvidia-dpu");
    const begun = await site.admin("POST", `dpus/${id}/retry`);
    expect(begun.status, JSON.stringify(begun.body)).toBe(200);
    const { status } = await settledDpu(site, id);
    expect({ state: status.state, sent: takenBy(controller.sent) }, status.message).toEqual({
      state: "DPU_STATE_READY",
      sent: ["boot from UefiHttp", "Reset ForceRestart"],
    });
    expect(await wrongInBooks(site)).toEqual([]);
  });
});
