import * as z from "zod";
import { basicAuthorization } from "../../../core/http.ts";
import { parseTagText } from "../../../core/ports/owner.ts";
import type { LedgerItem } from "../../../sim/ledger.ts";
import { eventually } from "../../support/eventually.ts";
import { overHttp, type Side } from "../compare.ts";
import { leaseFrom } from "./dhcp-client.ts";

const context = z.record(z.string(), z.unknown()).optional();
const reservationSchema = z.object({
  "hw-address": z.string().optional(),
  "ip-address": z.string().optional(),
  "subnet-id": z.int().optional(),
  "user-context": context,
});
const subnetSchema = z.object({
  id: z.int(),
  subnet: z.string(),
  reservations: z.array(reservationSchema),
  "user-context": context,
});
const configSchema = z.object({ Dhcp4: z.object({ subnet4: z.array(subnetSchema) }) });
const leasesSchema = z.object({ leases: z.array(z.object({ "ip-address": z.string() })) });
const statusSchema = z.object({ pid: z.int() });
const answersSchema = z.tuple([
  z.object({ result: z.int(), text: z.string().optional(), arguments: z.unknown().optional() }),
]);

/** A real Kea, as whoever runs it asks it. */
export class KeaServer {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Where it listens to relays. */
  readonly dhcp: string;
  readonly ask: Side;

  constructor(url: string, username: string, password: string, dhcp: string) {
    this.url = url;
    this.username = username;
    this.password = password;
    this.dhcp = dhcp;
    this.ask = overHttp(url, async () => ({
      authorization: basicAuthorization(this),
      // Its process may end between two requests.
      connection: "close",
    }));
  }

  /** The one that test/live/kea.sh has started. */
  static ofEnvironment(): KeaServer | undefined {
    const { KEA_URL, KEA_USER, KEA_PASSWORD, KEA_DHCP } = process.env;
    return KEA_URL && KEA_USER && KEA_PASSWORD && KEA_DHCP
      ? new KeaServer(KEA_URL, KEA_USER, KEA_PASSWORD, KEA_DHCP)
      : undefined;
  }

  async #done(command: string, args?: object): Promise<unknown> {
    const { body } = await this.ask({
      method: "POST",
      path: "/",
      body: { command, ...(args && { arguments: args }) },
    });
    const [{ result, text, arguments: found }] = answersSchema.parse(body);
    // 3: it has found nothing.
    if (result !== 0 && result !== 3) throw new Error(`${command}: ${result} ${text}`);
    return found;
  }

  /** What it serves and what it has leased, as it lists them. */
  async everything(): Promise<{ subnets: z.infer<typeof subnetSchema>[]; leases: string[] }> {
    const { leases } = leasesSchema.parse(await this.#done("lease4-get-all"));
    return { subnets: await this.#subnets(), leases: leases.map((one) => one["ip-address"]) };
  }

  async #subnets(): Promise<z.infer<typeof subnetSchema>[]> {
    return configSchema.parse(await this.#done("config-get")).Dhcp4.subnet4;
  }

  leaseOf(mac: string, prefix: string): Promise<string | undefined> {
    const [address = "", port] = this.dhcp.split(":");
    return leaseFrom({ address, port: Number(port) }, mac, prefix);
  }

  async addForeign(subnet: string): Promise<void> {
    const id = (await this.#subnets()).length + 1;
    await this.#done("subnet4-add", { subnet4: [{ id, subnet }] });
    await this.#done("config-write");
  }

  /** Ends its process; test/live/kea.sh starts another. */
  async restart(): Promise<void> {
    const pid = async () => statusSchema.parse(await this.#done("status-get")).pid;
    const before = await pid();
    process.kill(before);
    await eventually(async () => {
      if ((await pid()) === before) throw new Error("it has not ended yet");
    });
  }

  /** Removes everything that tests have made. */
  async clear(): Promise<void> {
    const { leases } = leasesSchema.parse(await this.#done("lease4-get-all"));
    for (const { "ip-address": address } of leases)
      await this.#done("lease4-del", { "ip-address": address });
    for (const { id } of await this.#subnets()) await this.#done("subnet4-del", { id });
    await this.#done("config-write");
  }

  async ledger(): Promise<LedgerItem[]> {
    const subnets = await this.#subnets();
    return subnets.flatMap((subnet) => [
      { kind: "subnet", id: subnet.subnet, system: "dhcp", owner: ownerIn(subnet) },
      ...subnet.reservations.map((host) => ({
        kind: "reservation",
        id: `${host["hw-address"]} ${subnet.id}`,
        system: "dhcp",
        owner: ownerIn(host),
      })),
    ]);
  }
}

function ownerIn({ "user-context": found }: z.infer<typeof reservationSchema>) {
  const text = found?.["slipway.dev/owner"];
  return (typeof text === "string" && parseTagText(text)) || null;
}
