import * as z from "zod";
import { AppError } from "../../../error.ts";
import {
  ask,
  type HttpOptions,
  type HttpReply,
  type HttpRequest,
  isTransient,
} from "../../../http.ts";
import { parseTagText, type TaggedOwner, tagTextOf } from "../../owner.ts";
import {
  type Dns,
  type DnsObservation,
  type DomainOf,
  type DomainOwner,
  eachOnce,
  foreign,
  isOwnershipTagOf,
  type OwnedDomain,
  type RecordSet,
  sameAddresses,
  timeToLive,
} from "../dns.ts";
import type { AskAuthority } from "./authority.ts";

export interface PowerDnsOptions extends Omit<HttpOptions, "system"> {
  /** Reads the API's key, before each call. */
  key: () => Promise<string>;
  /** The parent zone of the owners' domains, without a dot at the end. */
  zone: string;
  /** The zone's authoritative servers. */
  authority: AskAuthority;
}

const rrsetSchema = z.object({
  name: z.string(),
  type: z.string(),
  ttl: z.number(),
  records: z.array(z.object({ content: z.string(), disabled: z.boolean().default(false) })),
  comments: z.array(z.object({ content: z.string(), account: z.string() })).default([]),
});
const zoneSchema = z.object({ rrsets: z.array(rrsetSchema) });
type RRset = z.infer<typeof rrsetSchema>;

/** The account in our comments. */
const account = "slipway";
/** Record types that conflict with an address record of the same name. */
const inTheWay = new Set(["A", "AAAA", "CNAME"]);

/**
 * PowerDNS's authoritative server, by its HTTP API. A comment on each RRset is its ownership tag. RRsets are
 * written whole (REPLACE): EXTEND and PRUNE need version 5, and would add to other people's records. The API
 * has no conditional changes, so a person's change between the read and the write is lost; within Slipway,
 * only the owner that has claimed a domain changes its records.
 */
export class PowerDns implements Dns {
  readonly #options: PowerDnsOptions;
  readonly #http: HttpOptions;
  /** The zone's earlier calls, because concurrent changes of one zone conflict. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(options: PowerDnsOptions) {
    this.#options = options;
    this.#http = { ...options, system: `the DNS server of zone ${options.zone}` };
  }

  ensure(owner: OwnedDomain, records: RecordSet[]): Promise<undefined> {
    return this.#inTurn(async () => {
      const there = await this.#read(owner);
      const other = there.find((set) => !isOurs(set, owner));
      if (other) throw foreign(bare(other.name), owner);
      const superfluous = there.filter((set) => !records.some((wanted) => isNamed(set, wanted)));
      const wrong = records.filter((wanted) => !there.some((set) => isAsWanted(set, wanted)));
      // Deletions come first: the server processes them in order.
      await this.#change(owner, [
        ...superfluous.map(removal),
        ...wrong.map((set) => replace(set, owner)),
      ]);
      return undefined;
    });
  }

  async observe(owner: OwnedDomain, records: RecordSet[]): Promise<DnsObservation> {
    const there = await this.#read(owner);
    const lacking = records.find(
      (wanted) => !there.some((set) => isOurs(set, owner) && isAsWanted(set, wanted)),
    );
    if (lacking)
      return { state: "missing", message: `${lacking.name} differs from the desired record` };
    for (const { name, type, addresses } of records) {
      // Any name matches a wildcard.
      const asked = name.replace("*", "console-openshift-console");
      let answers: string[][];
      try {
        answers = await this.#options.authority(asked, type);
      } catch (error) {
        const code = error instanceof Error && "code" in error ? ` (${error.code})` : "";
        return { state: "unknown", message: `the zone's servers do not answer${code}` };
      }
      if (!answers.every((answer) => sameAddresses(answer, addresses))) {
        return { state: "pending", message: `the zone's servers do not know ${name} yet` };
      }
    }
    return { state: "done", message: "the zone's servers answer" };
  }

  remove(owner: OwnedDomain): Promise<void> {
    return this.#inTurn(async () => {
      const ours = (await this.#read(owner)).filter((set) => isOurs(set, owner));
      await this.#change(owner, ours.map(removal));
    });
  }

  async observeAll(domainOf: DomainOf): Promise<DomainOwner[]> {
    const reply = await this.#ask({ method: "GET", path: this.#zone });
    const zone = zoneSchema.safeParse(reply.json);
    if (!zone.success) throw senseless(reply, this.#options.zone);
    return eachOnce(zone.data.rrsets.flatMap((set) => ownersOf(set, domainOf)));
  }

  /**
   * The RRsets at the domain's names that can conflict with ours. TXT and CAA, for example, cannot.
   */
  async #read({ domain, recordNames }: OwnedDomain): Promise<RRset[]> {
    const found = await Promise.all(
      recordNames.map(async (name) => {
        const path = `${this.#zone}?rrset_name=${encodeURIComponent(`${name}.`)}`;
        const reply = await this.#ask({ method: "GET", path }, domain);
        const zone = zoneSchema.safeParse(reply.json);
        if (!zone.success) throw senseless(reply, this.#options.zone);
        // Old servers ignore the filter, and version 4.7 also answers other RRsets, without their
        // records.
        return zone.data.rrsets.filter(
          (set) => isSameName(set.name, name) && set.records.length > 0 && inTheWay.has(set.type),
        );
      }),
    );
    return found.flat();
  }

  /** Sends one change of RRsets, which the server applies whole or not at all. */
  async #change({ domain }: OwnedDomain, rrsets: object[]): Promise<void> {
    if (rrsets.length === 0) return;
    await this.#ask({ method: "PATCH", path: this.#zone, body: { rrsets } }, domain);
  }

  get #zone(): string {
    return `/api/v1/servers/localhost/zones/${encodeURIComponent(`${this.#options.zone}.`)}`;
  }

  /** Sends one request. `domain` is its domain, for messages. */
  async #ask(request: HttpRequest, domain?: string): Promise<HttpReply> {
    // Without Accept, errors are plain text.
    const headers = { accept: "application/json", "x-api-key": await this.#options.key() };
    const reply = await ask(this.#http, { ...request, headers });
    if (reply.status < 300) return reply;
    throw this.#refusal(reply, domain);
  }

  #refusal(reply: HttpReply, domain: string | undefined): AppError {
    const { status } = reply;
    const detail = `${status} ${reply.text}`;
    const { zone } = this.#options;
    const about = domain === undefined ? "" : `, asked about the records of ${domain}`;
    if (status === 401) {
      const message = `the DNS server of zone ${zone} does not accept our key`;
      return new AppError("Unavailable", message, { detail });
    }
    if (isTransient(status)) {
      const message = `the DNS server of zone ${zone} is unavailable now (${status})${about}`;
      return new AppError("Unavailable", message, { detail });
    }
    // This 409 means a concurrent change: a foreign record was already detected by its tag.
    if (status === 409) {
      const message = `the DNS server reports a conflict (409) in zone ${zone}${about}; it is tried again`;
      return new AppError("Unavailable", message, { detail });
    }
    if (status < 400) return senseless(reply, zone);
    if (status === 404) {
      const message = `the DNS server does not have the zone ${zone}`;
      return new AppError("Rejected", message, { detail });
    }
    const said = z.object({ error: z.string() }).safeParse(reply.json).data?.error;
    const message = `the DNS server of zone ${zone} refuses: ${said ?? status}${about}`;
    return new AppError("Rejected", message, { detail });
  }

  /** Runs `work` after all earlier calls have ended, whatever their outcome. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#before.then(work);
    this.#before = turn.catch(() => undefined);
    return turn;
  }
}

function senseless({ status, text }: HttpReply, zone: string): AppError {
  const detail = `${status} ${text}`;
  const message = `the answer of the DNS server of zone ${zone} is malformed`;
  return new AppError("Unavailable", message, { detail });
}

const bare = (name: string): string => name.replace(/\.$/, "");

const isSameName = (canonical: string, name: string): boolean =>
  bare(canonical).toLowerCase() === name.toLowerCase();

const isNamed = (set: RRset, { name, type }: RecordSet): boolean =>
  set.type === type && isSameName(set.name, name);

function isAsWanted(set: RRset, wanted: RecordSet): boolean {
  const served = set.records.filter(({ disabled }) => !disabled).map(({ content }) => content);
  return isNamed(set, wanted) && set.ttl === timeToLive && sameAddresses(served, wanted.addresses);
}

const isOurs = (set: RRset, owner: TaggedOwner): boolean =>
  set.comments.some(
    (comment) => comment.account === account && isOwnershipTagOf(comment.content, owner),
  );

/** The owners in a record's comments. */
function ownersOf({ name, type, records, comments }: RRset, domainOf: DomainOf): DomainOwner[] {
  if (records.length === 0 || !inTheWay.has(type)) return [];
  return comments.flatMap((comment) => {
    const owner = comment.account === account ? parseTagText(comment.content) : undefined;
    const domain = owner && domainOf(owner.kind, bare(name).toLowerCase());
    return owner && domain !== undefined ? [{ ...owner, domain }] : [];
  });
}

const removal = ({ name, type }: RRset): object => ({ name, type, changetype: "DELETE" });

const replace = ({ name, type, addresses }: RecordSet, owner: TaggedOwner): object => ({
  name: `${name}.`,
  type,
  ttl: timeToLive,
  changetype: "REPLACE",
  records: addresses.map((content) => ({ content, disabled: false })),
  comments: [{ content: tagTextOf(owner), account }],
});
