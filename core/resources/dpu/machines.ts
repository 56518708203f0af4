import { writeYaml } from "../../kernel/input/yaml.ts";
import { load, mustLoad } from "../../kernel/object/records.ts";
import { bootKernel, chainWithAddress } from "../../machine/ipxe.ts";
import type { MachineReport } from "../../machine/requests.ts";
import type { Asked, Serving } from "../../machine/serving.ts";
import { isUnheard } from "./health.ts";
import type { Dpu, Told } from "./model.ts";

/**
 * The answers to a booting DPU: the image to install, the agent that cloud-init starts, and its network
 * configuration.
 */
export const machines: Serving<"dpu"> = {
  allows({ operation, boot, wanted, isProvisioned }, request) {
    // The first request may arrive before the controller reports the DPU as on.
    const isInstalling =
      operation !== undefined && (boot?.phase === "switching_on" || boot?.phase === "booting");
    switch (request) {
      // The host's NICs appear only when the host is on, so the DPU sends its discovery again later.
      case "discovery":
      case "health":
        return isInstalling || isProvisioned === true;
      case "network":
      case "applied":
        return wanted !== undefined && (isInstalling || isProvisioned === true);
      default:
        return isInstalling;
    }
  },
  async boot(deps, _, { site: id, urls, address }) {
    // iPXE inserts the address, which is known only after DHCP, and requests the script again.
    if (address === undefined) return chainWithAddress(urls.boot);
    const { machines } = (await mustLoad(deps, "site", id)).spec;
    const bfb = machines?.bfb ?? "";
    return bootKernel({ kernel: bfb, args: [`ds=nocloud;s=${urls.seed}`] });
  },
  async seed(_, { id, metadata }, part, asked) {
    switch (part) {
      case "meta-data":
        return writeYaml({ "instance-id": id, "local-hostname": metadata.name });
      case "user-data":
        return `#cloud-config\n${writeYaml(userData(asked))}`;
      case "vendor-data":
        return "";
      case "network-config":
        return undefined;
    }
  },
  async network(_, { wanted }) {
    return { ...wanted, version: wanted?.version ?? 0 };
  },
  // The host, or its owner, may wait for this report.
  async others(deps, { spec }) {
    const host = await load(deps, "host", spec.host.id);
    const { owner } = host?.status ?? {};
    return [
      { kind: "host", id: spec.host.id },
      ...(owner ? [{ kind: owner.kind, id: owner.id }] : []),
    ];
  },
  isUnheard,
  reported(dpu, report, { now }) {
    if (report.of === "applied") return withApplied(dpu, report, now);
    if (report.of === "network") return heard(dpu, now);
    return withTold(dpu, report, now);
  },
};

/** The image contains HBN; HBN's agent requests the network with the DPU's own token. */
const userData = ({ urls, token }: Asked) => ({
  write_files: [
    {
      path: "/etc/slipway/agent.json",
      permissions: "0600",
      content: JSON.stringify({ url: urls.contract, token }),
    },
  ],
  runcmd: [["systemctl", "enable", "--now", "hbn", "slipway-agent"]],
  phone_home: { url: urls.phoneHome, post: ["instance_id", "hostname"] },
});

type OfItself = Exclude<MachineReport, { of: "applied" | "network" }>;

function withTold(dpu: Dpu, report: OfItself, at: string): Dpu | undefined {
  const told = toldBy(report, at);
  return told && { ...dpu, told: { ...dpu.told, ...told } };
}

function toldBy(report: OfItself, at: string): Told | undefined {
  switch (report.of) {
    case "boot": {
      const { address } = report;
      return { boot: { at }, ...(address !== undefined && { address: { at, is: address } }) };
    }
    case "seed":
      return report.part === "user-data" ? { seed: { at } } : undefined;
    case "phone_home":
      return { phone_home: { at } };
    case "discovery": {
      const { of: _, ...discovery } = report;
      return { discovery: { at, ...discovery } };
    }
    case "health": {
      const { of: _, ...health } = report;
      return { health: { at, ...health } };
    }
  }
}

/** Written before the answer is sent: a DPU must never have a version that its record does not know. */
function heard({ given_version: _, ...dpu }: Dpu, heard_at: string): Dpu {
  const given_version = dpu.wanted?.version;
  return { ...dpu, heard_at, ...(given_version !== undefined && { given_version }) };
}

/**
 * Ignores a report of an older version than the last one, because it is late. Also ignores a
 * version newer than the desired one, because it is impossible.
 */
function withApplied(dpu: Dpu, report: MachineReport & { of: "applied" }, at: string) {
  const { of: _, ...applied } = report;
  if (applied.version > (dpu.wanted?.version ?? 0)) return undefined;
  if (applied.version < (dpu.applied?.version ?? 0)) return undefined;
  return { ...dpu, applied: { at, ...applied } };
}
