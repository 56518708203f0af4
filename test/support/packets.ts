import { seconds } from "../../core/clock.ts";
import type { FabricSettings } from "../../sim/fabric/state.ts";
import type { Place, Protocol } from "../../sim/packets/packets.ts";
import { TestFabric } from "./fabric.ts";

/** A rule as Neutron takes it, without its group. */
export interface TestRule {
  direction: "ingress" | "egress";
  ethertype?: "IPv4" | "IPv6";
  protocol?: string;
  port_range_min?: number;
  port_range_max?: number;
  remote_ip_prefix?: string;
  remote_group_id?: string;
}

export interface TestNic {
  mac: string;
  port: string;
  addresses: string[];
}

export interface TestSubnet {
  network: string;
  ids: string[];
}

/** A simulated fabric whose networks are made by its API; each new NIC has a switch port of its own. */
export class PacketWorld {
  readonly test: TestFabric;
  readonly #cables: { mac: string; switch: string; port: string }[] = [];

  constructor(settings: Partial<FabricSettings> = {}) {
    const cables = this.#cables;
    // Another list for each number of cables, as the fabric remembers what it has read of one.
    this.test = new TestFabric(settings, { cables: () => lists(cables) });
  }

  async make(path: string, kind: string, body: object): Promise<Made> {
    const answer = await this.test.ask("POST", `/v2.0/${path}`, { [kind]: body });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer));
    return answer.body[kind];
  }

  /** A router with a way outside that translates nothing, unless told otherwise. */
  async router(gateway: object = { enable_snat: false }): Promise<string> {
    const info = { network_id: this.test.sim.externalNetwork, ...gateway };
    return (await this.make("routers", "router", { external_gateway_info: info })).id;
  }

  /** Gives a router's gateway this address alone, with or without translation to it. */
  async gateway(router: string, ip_address: string, enable_snat: boolean): Promise<void> {
    const info = { network_id: this.test.sim.externalNetwork, enable_snat };
    const { status } = await this.test.ask("PUT", `/v2.0/routers/${router}`, {
      router: { external_gateway_info: { ...info, external_fixed_ips: [{ ip_address }] } },
    });
    if (status !== 200) throw new Error(`${status}`);
  }

  /** A VLAN with a subnet for each prefix, and a router's interface in each. */
  async subnet(router: string | undefined, ...cidrs: string[]): Promise<TestSubnet> {
    const network = (await this.make("networks", "network", {})).id;
    const ids: string[] = [];
    for (const cidr of cidrs) {
      const ip_version = cidr.includes(":") ? 6 : 4;
      const made = await this.make("subnets", "subnet", { network_id: network, ip_version, cidr });
      ids.push(made.id);
      if (router) {
        const path = `/v2.0/routers/${router}/add_router_interface`;
        const { status } = await this.test.ask("PUT", path, { subnet_id: made.id });
        if (status !== 200) throw new Error(`${status}`);
      }
    }
    return { network, ids };
  }

  /** A group with exactly these rules. */
  async group(...rules: TestRule[]): Promise<string> {
    const group = await this.make("security-groups", "security_group", {});
    for (const { id } of group.security_group_rules ?? []) {
      await this.test.ask("DELETE", `/v2.0/security-group-rules/${id}`);
    }
    for (const rule of rules) await this.rule(group.id, rule);
    return group.id;
  }

  async rule(group: string, rule: TestRule): Promise<string> {
    const body = { security_group_id: group, ...rule };
    return (await this.make("security-group-rules", "security_group_rule", body)).id;
  }

  /** A NIC whose port is bound, with these groups; in the project's own where none are named. */
  async nic({ network }: TestSubnet, groups?: string[], more: object = {}): Promise<TestNic> {
    const number = this.#cables.length + 1;
    const mac = `52:54:00:00:00:${number.toString(16).padStart(2, "0")}`;
    const cable = { mac, switch: `leaf-${number}`, port: "Ethernet1/1" };
    this.#cables.push(cable);
    const port = await this.make("ports", "port", {
      network_id: network,
      mac_address: mac,
      "binding:vnic_type": "baremetal",
      "binding:host_id": `host-${number}`,
      "binding:profile": {
        local_link_information: [{ switch_info: cable.switch, port_id: cable.port }],
      },
      ...(groups && { security_groups: groups }),
      ...more,
    });
    return { mac, port: port.id, addresses: port.fixed_ips?.map((one) => one.ip_address) ?? [] };
  }

  /** A port of no machine, which holds an address that somebody announces. */
  async holder({ network }: TestSubnet, security_groups: string[]): Promise<TestNic> {
    const port = await this.make("ports", "port", { network_id: network, security_groups });
    const addresses = port.fixed_ips?.map((one) => one.ip_address) ?? [];
    return { mac: port.mac_address ?? "", port: port.id, addresses };
  }

  async floatingIp(nic: TestNic): Promise<string> {
    const floating_network_id = this.test.sim.externalNetwork;
    const body = { floating_network_id, port_id: nic.port };
    return (await this.make("floatingips", "floatingip", body)).floating_ip_address ?? "";
  }

  /** Until everything that was asked for is so. */
  settle(): Promise<void> {
    return this.test.clock.advance(seconds(60));
  }

  /** The address that the receiver sees, or where the packet stopped. */
  reaches(from: Place | TestNic, to: Place | TestNic, protocol: Protocol = "tcp", port = 80) {
    const fate = this.test.sim.reaches(placeOf(from), placeOf(to), protocol, port);
    return fate.arrives ? fate.source : fate.stopped;
  }
}

/** What the cloud answers, as far as tests of packets look. */
interface Made {
  id: string;
  fixed_ips?: { ip_address: string }[];
  security_group_rules?: { id: string }[];
  floating_ip_address?: string;
  mac_address?: string;
}

const placeOf = (end: Place | TestNic): Place => ("mac" in end ? { nic: end.mac } : end);

const known = new WeakMap<object, readonly unknown[]>();

function lists<T>(all: T[]): readonly T[] {
  const last = known.get(all);
  if (last?.length === all.length) return last as T[];
  const list = [...all];
  known.set(all, list);
  return list;
}
