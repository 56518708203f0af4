import { addressFamily, type Family, isWithin } from "../../core/prefix.ts";
import type { AllowedOverlay, OverlayInterface } from "../../core/resources/dpu/overlay.ts";
import type { Fate, PacketCarrier, Place, Protocol } from "../packets/packets.ts";
import { isPublic, stop } from "../packets/packets.ts";
import type { Network, SimDpu } from "./dpu.ts";
import type { Dpus } from "./dpus.ts";

/** How DPUs handle the packets of the NICs behind them, by the networks that they have applied. */

interface Packet {
  protocol: Protocol;
  port: number;
}

/** The network that a DPU applies now: undefined unless its own system runs. */
function doing(dpus: Dpus, { id }: SimDpu): Network["host"] {
  const { runs, applied } = dpus.state(id);
  return runs.system === "agent" ? applied?.host : undefined;
}

/** Whether the DPU before a NIC connects it; undefined for a NIC without a DPU. */
export function connects(dpus: Dpus, mac: string): boolean | undefined {
  const dpu = dpus.before(mac);
  if (!dpu) return undefined;
  const host = doing(dpus, dpu);
  if (host?.network === "overlay") return host.interfaces.some((each) => each.mac === mac);
  return (
    host?.ports.some(({ name }) =>
      dpu.ports.some((port) => port.name === name && port.mac === mac),
    ) ?? false
  );
}

/** Whether a NIC gets DHCP answers through its DPU; undefined for a NIC without a DPU. */
export function getsAddress(dpus: Dpus, mac: string): boolean | undefined {
  const dpu = dpus.before(mac);
  return dpu && connects(dpus, mac) && dpus.relays(dpu);
}

/** The overlays of DPUs, and the network of free hosts, in which hosts cannot reach each other. */
export class DpuPackets implements PacketCarrier {
  readonly #dpus: Dpus;
  /** The interfaces, valid while the number of changes is `after`. */
  #known: { after: number; interfaces: OverlayInterface[] } | undefined;

  constructor(dpus: Dpus) {
    this.#dpus = dpus;
  }

  reaches(from: Place, to: Place, protocol: Protocol, port: number): Fate {
    const packet = { protocol, port };
    if (!("nic" in from)) return this.#comeIn(from.address, to, packet);
    const dpu = this.#dpus.before(from.nic);
    const host = dpu && doing(this.#dpus, dpu);
    if (!host) return stop("sender", "no DPU carries its packets");
    if (host.network === "admin") return stop("router", "free hosts reach their gateway only");
    const sender = host.interfaces.find(({ mac }) => mac === from.nic);
    if (!sender) return stop("sender", "its DPU has it in no network");
    const there = this.#interfaces().filter(({ vni }) => vni === sender.vni);
    const address = "nic" in to ? there.find(({ mac }) => mac === to.nic)?.address : to.address;
    if (address === undefined)
      return stop("receiver", "the receiver is not in the sender's network");
    const family = addressFamily(address);
    const source = addressOf(sender, family);
    if (source === undefined) return stop("sender", `it has no address of ${family}`);
    const receiver = there.find((each) => addressOf(each, family) === address);
    if (!lets(sender, "egress", address, packet))
      return stop("egress group", "no rule lets it out");
    if (!receiver) return this.#goOut(sender, address, packet);
    if (!lets(receiver, "ingress", source, packet))
      return stop("ingress group", "no rule lets it in");
    return { arrives: true, at: receiver.mac, source };
  }

  /** Sends a packet out of its network, with the address that its DPU translates to. */
  #goOut({ outside }: OverlayInterface, address: string, packet: Packet): Fate {
    if (!isPublic(address)) return stop("receiver", `no NIC in the network has ${address}`);
    // DPUs translate IPv4 only.
    if (!outside || addressFamily(address) === "ipv6")
      return stop("router", "its network has no way out");
    const source = outside.address;
    const isOurs = this.#interfaces().some((each) => each.outside?.address === address);
    if (isOurs) return this.#comeIn(source, { address }, packet);
    return { arrives: true, at: address, source };
  }

  /** Delivers a packet from outside to the owner of its address. */
  #comeIn(source: string, to: Place, packet: Packet): Fate {
    const at = this.#interfaces().filter(
      ({ outside }) => outside?.leads_in && "address" in to && outside.address === to.address,
    );
    const [receiver] = at;
    if (!receiver) return stop("outside", "no way leads into an overlay from outside");
    if (at.length > 1) return stop("elsewhere", "several DPUs announce the address");
    if (!lets(receiver, "ingress", source, packet))
      return stop("ingress group", "no rule lets it in");
    return { arrives: true, at: receiver.mac, source };
  }

  #interfaces(): OverlayInterface[] {
    const { changes: after } = this.#dpus;
    if (this.#known?.after !== after) {
      const interfaces = this.#dpus.list().flatMap((dpu) => {
        const host = doing(this.#dpus, dpu);
        return host?.network === "overlay" ? host.interfaces : [];
      });
      this.#known = { after, interfaces };
    }
    return this.#known.interfaces;
  }
}

const lets = (
  { allow }: OverlayInterface,
  direction: AllowedOverlay["direction"],
  other: string,
  packet: Packet,
): boolean =>
  allow.some(
    ({ direction: way, protocol, ports, remotes }) =>
      way === direction &&
      (protocol === "any" || protocol === packet.protocol) &&
      (!ports || (ports.first <= packet.port && packet.port <= ports.last)) &&
      remotes.some((cidr) => isWithin(cidr, wholeOf(other))),
  );

const wholeOf = (address: string): string =>
  `${address}/${addressFamily(address) === "ipv6" ? 128 : 32}`;

const addressOf = ({ address, ipv6 }: OverlayInterface, family: Family): string | undefined =>
  family === "ipv6" ? ipv6?.address : address;
