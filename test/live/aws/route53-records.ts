import {
  type ChangeAction,
  ChangeResourceRecordSetsCommand,
  ListResourceRecordSetsCommand,
  type ResourceRecordSet,
  type Route53Client,
  RRType,
} from "@aws-sdk/client-route-53";
import * as z from "zod";

const typeSchema = z.enum(RRType);

/** The records of a hosted zone as somebody else sees and writes them; names without a dot at the end. */
export class Route53Records {
  readonly #client: Route53Client;
  readonly #zone: string;

  constructor(client: Route53Client, zone: string) {
    this.#client = client;
    this.#zone = zone;
  }

  async read(name: string, type: string): Promise<string[]> {
    const set = await this.#find(name, type);
    return set?.ResourceRecords?.map(({ Value = "" }) => Value) ?? [];
  }

  /** No values: removes what there is. */
  async write(name: string, type: string, values: string[]): Promise<void> {
    if (values.length === 0) {
      const set = await this.#find(name, type);
      if (set) await this.#change("DELETE", set);
      return;
    }
    const ResourceRecords = values.map((Value) => ({ Value }));
    const Type = typeSchema.parse(type);
    await this.#change("UPSERT", { Name: `${name}.`, Type, TTL: 300, ResourceRecords });
  }

  async #find(name: string, type: string): Promise<ResourceRecordSet | undefined> {
    const command = new ListResourceRecordSetsCommand({ HostedZoneId: this.#zone });
    const { ResourceRecordSets = [] } = await this.#client.send(command);
    return ResourceRecordSets.find(
      (set) => set.Type === type && set.Name?.replace("\\052", "*") === `${name}.`,
    );
  }

  async #change(Action: ChangeAction, ResourceRecordSet: ResourceRecordSet): Promise<void> {
    const ChangeBatch = { Changes: [{ Action, ResourceRecordSet }] };
    const command = new ChangeResourceRecordSetsCommand({ HostedZoneId: this.#zone, ChangeBatch });
    await this.#client.send(command);
  }
}
