import {
  type Change,
  type ChangeAction,
  ChangeResourceRecordSetsCommand,
  GetChangeCommand,
  ListResourceRecordSetsCommand,
  NoSuchChange,
  type ResourceRecordSet,
  Route53Client,
} from "@aws-sdk/client-route-53";
import type { Clock } from "../../../clock.ts";
import { beforeEffect } from "../../../effect.ts";
import { AppError } from "../../../error.ts";
import { called } from "../../../outside.ts";
import { parseTagText, tagTextOf } from "../../owner.ts";
import {
  type Dns,
  type DnsObservation,
  type DomainOwner,
  eachOnce,
  foreign,
  isOwnershipTagOf,
  type OwnedDomain,
  type RecordSet,
  sameAddresses,
  timeToLive,
} from "../dns.ts";
import { isOutdated, route53Error } from "./error.ts";

export interface Route53Options {
  /** A client with `maxAttempts: 1`, because the caller retries and knows its deadline. */
  client: Route53Client;
  hostedZone: string;
  /** Times each call. */
  wall: Clock;
  /** The limit of one call, in milliseconds of `wall`. */
  timeout: number;
}

/** Route 53 with the credentials and the region of the process. */
export const route53 = (options: Omit<Route53Options, "client">): Dns =>
  new Route53({ ...options, client: new Route53Client({ maxAttempts: 1 }) });

/** The records at a domain's names; the ownership tag is a TXT record beside them. */
interface Found {
  ownershipTag: ResourceRecordSet | undefined;
  isOurs: boolean;
  /** All records at the domain's names, whoever created them. */
  sets: ResourceRecordSet[];
}

/** Record types that conflict with an address record of the same name. */
const inTheWay = new Set(["A", "AAAA", "CNAME"]);
/** The attempts of a change during concurrent changes of the same records. */
const tries = 3;

/**
 * Amazon Route 53. Its records have no comments, so a TXT record `_slipway.<domain>` is the ownership tag.
 * The same batch creates it and the records, with CREATE, which fails for an existing record: so no foreign
 * record is taken over, not even one that was created at the same moment.
 */
export class Route53 implements Dns {
  readonly #options: Route53Options;

  constructor(options: Route53Options) {
    this.#options = options;
  }

  async ensure(owner: OwnedDomain, records: RecordSet[]): Promise<string | undefined> {
    return this.#again(async () => {
      const found = await this.#read(owner);
      const other = found.isOurs
        ? found.sets.find((set) => !isPlain(set))
        : (found.ownershipTag ?? found.sets[0]);
      if (other) throw foreign(plain(other.Name), owner);
      const superfluous = found.sets.filter(
        (set) => !records.some((wanted) => isNamed(set, wanted)),
      );
      const action = found.isOurs ? "UPSERT" : "CREATE";
      return this.#change([
        ...superfluous.map((set) => change("DELETE", set)),
        change(action, ownershipTagSet(owner)),
        // Written again even if all records are right: only the id of our own change tells when the servers
        // have the records.
        ...records.map((record) => change(action, addressSet(record))),
      ]);
    });
  }

  async observe(owner: OwnedDomain, records: RecordSet[], id?: string): Promise<DnsObservation> {
    const { isOurs, sets } = await this.#read(owner);
    const lacking = records.find(
      (wanted) => !isOurs || !sets.some((set) => isAsWanted(set, wanted)),
    );
    if (lacking)
      return { state: "missing", message: `${lacking.name} differs from the desired record` };
    const status = id === undefined ? undefined : await this.#statusOf(id);
    if (status === "INSYNC") return { state: "done", message: "all servers of Route 53 answer" };
    if (status === undefined) return { state: "unknown", message: "Route 53 knows no such change" };
    return { state: "pending", message: "Route 53 is telling its servers" };
  }

  async remove(owner: OwnedDomain): Promise<void> {
    await this.#again(async () => {
      const { ownershipTag, isOurs, sets } = await this.#read(owner);
      if (!ownershipTag || !isOurs) return;
      // Route 53 deletes only records that are sent exactly as they were read.
      await this.#change(
        [...sets.filter(isPlain), ownershipTag].map((set) => change("DELETE", set)),
      );
    });
  }

  async observeAll(): Promise<DomainOwner[]> {
    const all = await this.#list({}, () => true);
    return eachOnce(all.flatMap(ownersOf));
  }

  async #read(owner: OwnedDomain): Promise<Found> {
    const names = new Set(owner.recordNames);
    const found = await this.#below(owner.domain);
    const ownershipTag = found.find(
      ({ Name, Type }) => Type === "TXT" && plain(Name) === ownershipTagName(owner),
    );
    return {
      ownershipTag,
      isOurs: textsOf(ownershipTag).some((text) => isOwnershipTagOf(text, owner)),
      sets: found.filter(({ Name, Type = "" }) => names.has(plain(Name)) && inTheWay.has(Type)),
    };
  }

  /**
   * All records of a domain. They are adjacent, because Route 53 sorts names by their labels from the right.
   */
  #below(domain: string): Promise<ResourceRecordSet[]> {
    const isBelow = ({ Name }: ResourceRecordSet) => `.${plain(Name)}`.endsWith(`.${domain}`);
    return this.#list({ Name: `${domain}.` }, isBelow);
  }

  /** The records from `from` on, up to the first that is not `isWanted`. */
  async #list(
    from: Partial<ResourceRecordSet>,
    isWanted: (set: ResourceRecordSet) => boolean,
  ): Promise<ResourceRecordSet[]> {
    const found: ResourceRecordSet[] = [];
    let start: Partial<ResourceRecordSet> | undefined = from;
    let identifier: string | undefined;
    while (start) {
      const command: ListResourceRecordSetsCommand = new ListResourceRecordSetsCommand({
        HostedZoneId: this.#options.hostedZone,
        StartRecordName: start.Name,
        StartRecordType: start.Type,
        StartRecordIdentifier: identifier,
        MaxItems: 100,
      });
      const page = await this.#call("ListResourceRecordSets", (abortSignal) =>
        this.#options.client.send(command, { abortSignal }),
      );
      const sets = page.ResourceRecordSets ?? [];
      found.push(...sets.filter(isWanted));
      const last = sets.at(-1);
      const more = page.IsTruncated && last && isWanted(last);
      start = more ? { Name: page.NextRecordName, Type: page.NextRecordType } : undefined;
      identifier = page.NextRecordIdentifier;
    }
    return found;
  }

  /** Sends one batch, which Route 53 applies whole or not at all. Answers the change's id. */
  async #change(changes: Change[]): Promise<string | undefined> {
    const command = new ChangeResourceRecordSetsCommand({
      HostedZoneId: this.#options.hostedZone,
      ChangeBatch: { Changes: changes },
    });
    await beforeEffect();
    const answer = await this.#call("ChangeResourceRecordSets", (abortSignal) =>
      this.#options.client.send(command, { abortSignal }),
    );
    return answer.ChangeInfo?.Id;
  }

  /** The status of a change; undefined if Route 53 does not know it (any more). */
  async #statusOf(id: string): Promise<string | undefined> {
    const command = new GetChangeCommand({ Id: id });
    try {
      const answer = await this.#call("GetChange", (abortSignal) =>
        this.#options.client.send(command, { abortSignal }),
      );
      return answer.ChangeInfo?.Status;
    } catch (error) {
      if (error instanceof NoSuchChange) return undefined;
      throw error;
    }
  }

  /** Sends one call. Throws the SDK's errors that callers here handle, and translates all others. */
  async #call<T>(call: string, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { wall, timeout } = this.#options;
    const abort = new AbortController();
    const timer = wall.after(timeout, () => abort.abort());
    try {
      return await called({ words: "Route 53", call }, () => send(abort.signal));
    } catch (error) {
      throw isOutdated(error) || error instanceof NoSuchChange ? error : route53Error(error, call);
    } finally {
      timer.cancel();
    }
  }

  /** Repeats `work`, which reads and changes, if the zone has changed after the read. */
  async #again<T>(work: () => Promise<T>): Promise<T> {
    for (let n = 1; ; n++) {
      try {
        return await work();
      } catch (error) {
        if (!isOutdated(error)) throw error;
        if (n === tries) {
          const detail = String(error);
          throw new AppError("Unavailable", "others change the same DNS records", { detail });
        }
      }
    }
  }
}

const textsOf = (ownershipTag: ResourceRecordSet | undefined): string[] =>
  ownershipTag?.ResourceRecords?.map(({ Value = "" }) => Value.replace(/^"|"$/g, "")) ?? [];

/** The owners in a record that is an ownership tag. */
function ownersOf(set: ResourceRecordSet): DomainOwner[] {
  const domain = /^_slipway\.(.+)$/.exec(plain(set.Name))?.[1];
  if (set.Type !== "TXT" || domain === undefined) return [];
  return textsOf(set).flatMap((text) => {
    const owner = parseTagText(text);
    return owner ? [{ ...owner, domain }] : [];
  });
}

const ownershipTagName = ({ domain }: DomainOwner): string => `_slipway.${domain}`;

/**
 * Normalizes a name from Route 53: in lower case, without a dot at the end, and with `*` for its octal code.
 */
const plain = (name = ""): string => name.toLowerCase().replace(/\.$/, "").replace("\\052", "*");

const isNamed = (set: ResourceRecordSet, { name, type }: RecordSet): boolean =>
  set.Type === type && plain(set.Name) === name.toLowerCase();

/** Whether a record can be ours: no alias, and no routing policy. */
const isPlain = ({ Type, ResourceRecords = [], SetIdentifier }: ResourceRecordSet): boolean =>
  Type !== "CNAME" && ResourceRecords.length > 0 && SetIdentifier === undefined;

function isAsWanted(set: ResourceRecordSet, wanted: RecordSet): boolean {
  const values = set.ResourceRecords?.map(({ Value = "" }) => Value) ?? [];
  return isNamed(set, wanted) && set.TTL === timeToLive && sameAddresses(values, wanted.addresses);
}

const change = (Action: ChangeAction, set: ResourceRecordSet): Change => ({
  Action,
  ResourceRecordSet: set,
});

const ownershipTagSet = (owner: DomainOwner): ResourceRecordSet => ({
  Name: `${ownershipTagName(owner)}.`,
  Type: "TXT",
  TTL: timeToLive,
  ResourceRecords: [{ Value: `"${tagTextOf(owner)}"` }],
});

const addressSet = ({ name, type, addresses }: RecordSet): ResourceRecordSet => ({
  Name: `${name}.`,
  Type: type,
  TTL: timeToLive,
  ResourceRecords: addresses.map((Value) => ({ Value })),
});
