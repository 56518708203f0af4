import { expect } from "vitest";
import { sagas } from "../../../statemachines/index.ts";
import { wrongInBooks } from "../books.ts";
import { siteAfter } from "../save-site.ts";
import { openSite, type Site, type Wire } from "../site.ts";
import { type ClusterChange, clusterChanges } from "./cluster-changes.ts";
import { expectGroups, expectNodes, expectReplaced, type Sizes } from "./cluster-checks.ts";
import { seenIn } from "./seen.ts";
import type { Change, End, Stage, Subject } from "./stage.ts";
import { withFaultAt } from "./with-fault.ts";

/** The sagas of clusters in the matrix: through the API, on a site with simulated systems. */

export const clusters: Subject = {
  sagas,
  changes: Object.fromEntries(
    Object.entries(clusterChanges).map(([saga, changes]) => [
      saga,
      Object.fromEntries(
        Object.entries(changes).map(([name, change]) => [name, staged(saga, change)]),
      ),
    ]),
  ),
};

function staged(saga: string, change: ClusterChange): Change {
  const { before, start, holds, isLarge, again, notAfterLast } = change;
  return {
    ...(holds && { holds }),
    ...(isLarge && { isLarge }),
    again: again ? true : "a deletion is not asked for again",
    ...(notAfterLast !== undefined && { notAfterLast }),
    async open(options) {
      const { site, brought } = await siteAfter(before, options);
      return stageOn(site, { saga, change, start: () => start(site, brought) });
    },
  };
}

const systems = ["hub", "fabric", "dhcp", "dns", "storage", "inventory"] as const;

interface Played extends Pick<Stage, "start"> {
  saga: string;
  change: ClusterChange;
}

function stageOn(site: Site, play: Played): Stage {
  const { saga, change, start } = play;
  const { nodes, wish, again } = change;
  const isGone = (end: End) => end === "gone" || (saga === "cluster-delete" && end === "done");
  const neighbours = new Set<string>();
  const sizesAt = (end: End): Sizes | undefined =>
    isGone(end) ? {} : end === "held" ? undefined : end === "wished" ? wish : nodes[end as "done"];
  return {
    laptop: site.laptop,
    start,
    async orderNeighbour() {
      const id = await site.order("c2", {
        node_sets: { workers: { size: 1 } },
        ...change.neighbour,
      });
      neighbours.add(id);
      return {
        id,
        async expectMade() {
          expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
          await expectNodes(site, id, { workers: 1 });
        },
      };
    },
    putAside() {
      const from = site.saved();
      return async (options) => stageOn(await openSite({ ...options, from }), play);
    },
    async newest(id) {
      const { body } = await site.api("GET", "operations");
      const found = body.items.findLast(
        ({ spec }: Wire) => id === undefined || spec.target.id === id,
      );
      return found && seenIn(found);
    },
    operation: async (id) => seenIn((await site.api("GET", `operations/${id}`)).body),
    async cancel(operation) {
      const { status } = await site.api("POST", `operations/${operation}/cancel`);
      return status === 200;
    },
    async resume(operation) {
      expect((await site.api("POST", `operations/${operation}/resume`)).status).toBe(200);
    },
    async remove(id) {
      expect((await site.api("DELETE", `clusters/${id}`)).status).toBe(200);
    },
    async wish(id) {
      const { body } = await site.api("GET", `clusters/${id}`);
      const typeOf = (name: string) => body.spec.node_sets[name]?.host_type ?? "fc430";
      const node_sets = Object.fromEntries(
        Object.entries(wish).map(([name, size]) => [name, { host_type: typeOf(name), size }]),
      );
      return (await site.api("PATCH", `clusters/${id}`, { spec: { node_sets } })).status === 200;
    },
    async again(id) {
      await again?.(site, id);
    },
    withFault: withFaultAt(site, systems),
    async wrong(_, end) {
      const wrong = await wrongInBooks(site);
      const sizes = sizesAt(end);
      if (!sizes) return wrong;
      const owned = site.owned().filter((thing) => /^host /i.test(thing)).length;
      const hosts = sum(sizes) + neighbours.size;
      return owned === hosts ? wrong : [...wrong, `${owned} hosts are owned, not ${hosts}`];
    },
    async expectEnd(id, end) {
      const { status, body } = await site.api("GET", `clusters/${id}`);
      if (isGone(end)) return expect(status).toBe(404);
      const sizes = sizesAt(end);
      if (!sizes || Object.keys(sizes).length === 0)
        return expect(body.status.state).toBe("CLUSTER_STATE_FAILED");
      await expectNodes(site, id, sizes);
      await expectGroups(site, id, change.groups?.[end as "done"]);
      if (end === "done") await expectReplaced(site, id);
    },
  };
}

const sum = (sizes: Sizes): number => Object.values(sizes).reduce((total, size) => total + size, 0);
