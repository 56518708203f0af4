import type { Known, Row } from "../../compare.ts";
import { nobody, post, put, read } from "./ask.ts";

const vlan = (id: number, physical = "physnet1") => ({
  "provider:network_type": "vlan",
  "provider:physical_network": physical,
  "provider:segmentation_id": id,
});
const tag = (name: string, tags: string[]) => (known: Known) => ({
  method: "PUT",
  path: `/v2.0/networks/${known[name] ?? name}/tags`,
  body: { tags },
});

/** Networks, their VLANs and tags. */
export const networkRows: Row[] = [
  {
    what: "a network",
    ask: post("networks", { name: "raw", ...vlan(130) }),
    keep: ["network", "network.id"],
  },
  { what: "it", ask: (known) => read(`networks/${known.network}`) },
  { what: "its VLAN again", ask: post("networks", vlan(130)) },
  { what: "a VLAN that there cannot be", ask: post("networks", vlan(5000)) },
  {
    what: "a VLAN of no physical network",
    ask: post("networks", { "provider:segmentation_id": 131 }),
  },
  { what: "a physical network that there is not", ask: post("networks", vlan(131, "nowhere")) },
  { what: "a member that there is not", ask: post("networks", { colour: "red" }) },
  { what: "tags at creation", ask: post("networks", { name: "tagged", tags: ["a"] }) },
  {
    what: "a body that names something else",
    ask: { method: "POST", path: "/v2.0/networks", body: { net: {} } },
  },
  { what: "a network that there is not", ask: read(`networks/${nobody}`) },
  { what: "a kind that there is not", ask: read("nothing") },
  { what: "a filter that there is not", ask: read("networks?colour=red") },
  { what: "two members of all networks", ask: read("networks?fields=id&fields=name") },
  { what: "a network by its name", ask: read("networks?name=raw") },
  {
    what: "a change of a revision that is over",
    ask: put("networks", "network", { name: "b" }, { "if-match": "revision_number=99" }),
  },
  {
    what: "a change of two revisions",
    ask: put(
      "networks",
      "network",
      { name: "b" },
      { "if-match": "revision_number=1,revision_number=2" },
    ),
  },
  { what: "another name", ask: put("networks", "network", { name: "raw-2" }) },

  { what: "tags", ask: tag("network", ["a", "b"]) },
  { what: "a tag twice", ask: tag("network", ["a", "a"]) },
  {
    what: "51 tags",
    ask: tag(
      "network",
      Array.from({ length: 51 }, (_, n) => `t${n}`),
    ),
  },
  { what: "a long tag", ask: tag("network", ["x".repeat(256)]) },
  { what: "tags of a network that there is not", ask: tag(nobody, ["a"]) },
  {
    what: "a tag that is there",
    ask: (known) => ({ method: "PUT", path: `/v2.0/networks/${known.network}/tags/a` }),
  },
  {
    what: "a tag goes that there is not",
    ask: (known) => ({ method: "DELETE", path: `/v2.0/networks/${known.network}/tags/zz` }),
  },
];
