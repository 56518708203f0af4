import type { Raw, Row } from "../compare.ts";

/** What is asked of Route 53, and what is wrong with it. */

/** The zone on both sides, without a dot at the end. */
export const zoneName = "raw.example";

interface Set {
  name: string;
  type?: string;
  ttl?: number;
  value?: string;
}

const records = (zone: string, query = "") => `/2013-04-01/hostedzone/${zone}/rrset${query}`;

const listed =
  (query = "") =>
  ({ zone = "" }): Raw => ({ method: "GET", path: records(zone, query) });

const posted =
  (body: string) =>
  ({ zone = "" }): Raw => ({ method: "POST", path: records(zone), body });

const batch = (...changes: string[]) =>
  `<ChangeResourceRecordSetsRequest xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><ChangeBatch><Changes>${changes.join("")}</Changes></ChangeBatch></ChangeResourceRecordSetsRequest>`;

const change = (action: string, { name, type = "A", ttl = 60, value = "192.0.2.1" }: Set) =>
  `<Change><Action>${action}</Action><ResourceRecordSet><Name>${name}.${zoneName}.</Name><Type>${type}</Type><TTL>${ttl}</TTL><ResourceRecords><ResourceRecord><Value>${value}</Value></ResourceRecord></ResourceRecords></ResourceRecordSet></Change>`;

const changed = (action: string, set: Set) => posted(batch(change(action, set)));

const remembers =
  "moto looks at what it was asked before, AWS at what there is (ChangeResourceRecordSets: CREATE and DELETE)";
const takes = "moto takes any value and any neighbour; AWS refuses what DNS does not allow";
const parses = "moto does not look at the document; AWS holds it to its schema";

export const route53Rows: Row[] = [
  { what: "the records of a new zone", ask: listed() },
  {
    what: "records of a zone that there is not",
    ask: { method: "GET", path: records("ZNOWHERE") },
  },
  {
    what: "a change in a zone that there is not",
    ask: {
      method: "POST",
      path: records("ZNOWHERE"),
      body: batch(change("CREATE", { name: "api" })),
    },
  },
  {
    what: "a new record",
    ask: changed("CREATE", { name: "api.one" }),
    keep: ["change", "ChangeInfo.Id"],
  },
  {
    what: "its change",
    ask: ({ change: id = "" }) => ({ method: "GET", path: `/2013-04-01${id}` }),
  },
  {
    what: "a change that there is not",
    ask: { method: "GET", path: "/2013-04-01/change/CNOWHERE" },
    differs: "moto keeps no changes and knows any; AWS knows none (GetChange: NoSuchChange)",
  },
  { what: "the same record again", ask: changed("CREATE", { name: "api.one" }) },
  { what: "a record written anew", ask: changed("UPSERT", { name: "api.one" }) },
  { what: "a record elsewhere", ask: changed("CREATE", { name: "a.two" }) },
  {
    what: "a text",
    ask: changed("UPSERT", { name: "_tag.one", type: "TXT", value: "&quot;mine&quot;" }),
  },
  {
    what: "an alias by name",
    ask: changed("UPSERT", { name: "www", type: "CNAME", value: "x.example." }),
  },
  { what: "all records", ask: listed() },
  { what: "the records of a domain", ask: listed(`?name=one.${zoneName}.`) },
  { what: "a page of one", ask: listed(`?maxitems=1&name=one.${zoneName}.`) },
  {
    what: "the records from a name and a type on",
    ask: listed(`?name=api.one.${zoneName}.&type=A`),
  },
  { what: "the records from a later type on", ask: listed(`?name=api.one.${zoneName}.&type=TXT`) },
  { what: "the records from a type on, without a name", ask: listed("?type=A") },
  {
    what: "a deletion with another value",
    ask: changed("DELETE", { name: "api.one", value: "192.0.2.9" }),
    differs: remembers,
  },
  {
    what: "a deletion with another TTL",
    ask: changed("DELETE", { name: "api.one", ttl: 61 }),
    differs: remembers,
  },
  {
    what: "a deletion of nothing",
    ask: changed("DELETE", { name: "none" }),
    differs: remembers,
  },
  { what: "a deletion", ask: changed("DELETE", { name: "api.one" }) },
  { what: "the records without it", ask: listed(`?name=one.${zoneName}.`) },
  {
    what: "the same deletion again",
    ask: changed("DELETE", { name: "api.one" }),
    differs: remembers,
  },
  {
    what: "another value at a name that has one",
    ask: changed("CREATE", { name: "a.two", value: "192.0.2.2" }),
    differs: remembers,
  },
  { what: "an action that there is not", ask: changed("RENAME", { name: "api" }) },
  {
    what: "a batch with a name outside of the zone",
    ask: posted(
      batch(
        change("UPSERT", { name: "first" }),
        change("CREATE", { name: "api" }).replace(zoneName, "elsewhere.example"),
      ),
    ),
    differs: "moto leaves the dot at the end of the name away",
  },
  {
    what: "the records after it",
    ask: listed(`?name=first.${zoneName}.&maxitems=1`),
    differs: "moto keeps what the batch has before its fault; AWS makes all changes or none",
  },
  {
    what: "an address that is none",
    ask: changed("CREATE", { name: "bad", value: "foo" }),
    differs: takes,
  },
  {
    what: "an alias by name beside an address",
    ask: changed("CREATE", { name: "a.two", type: "CNAME", value: "x.example." }),
    differs: takes,
  },
  { what: "a wildcard in capitals", ask: changed("UPSERT", { name: "*.Zone" }) },
  {
    what: "the record of a wildcard",
    ask: listed(`?name=zone.${zoneName}.&maxitems=1`),
    differs:
      "moto answers names as they were written; AWS in lower case, * as \\052 (DNS domain name format)",
  },
  { what: "a batch of nothing", ask: posted(batch()), differs: parses },
  { what: "another document", ask: posted("<Other/>"), differs: parses },
  { what: "a body that is no document", ask: posted("<Change"), differs: parses },
];
