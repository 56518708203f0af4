import { afterAll, afterEach, describe, it } from "vitest";
import { systemClock } from "../../../core/clock.ts";
import { Ceph } from "../../../core/ports/storage/ceph/ceph.ts";
import { parseCephName } from "../../../core/ports/storage/ceph/name.ts";
import { cephFixture } from "../../core/ports/storage/ceph/fixture.ts";
import { storageContract } from "../../core/ports/storage/contract.ts";
import { compareRaw, inProcess } from "../compare.ts";
import { Dashboard } from "./dashboard.ts";
import { cephRows } from "./raw.ts";

/** A real cluster, such as test/live/ceph.sh starts. */
describe("a real Ceph", () => {
  const dashboard = Dashboard.ofEnvironment();
  if (!dashboard) {
    it.skip(
      "skipped: CEPH_URL, CEPH_USER, CEPH_PASSWORD and CEPH_POOL are not set (test/live/ceph.sh)",
    );
    return;
  }
  const { url, username, password, pool } = dashboard;
  const adapter = (given: string) =>
    new Ceph({
      url,
      pool,
      credential: async () => ({ username, password: given }),
      wall: systemClock,
      timeout: 30_000,
    });

  describe("answers as the simulated one", () => {
    afterAll(() => dashboard.clear());
    compareRaw(cephRows, () => {
      const { sim } = cephFixture();
      const headers = {
        authorization: `Bearer ${sim.newToken()}`,
        accept: "application/vnd.ceph.api.v1.0+json",
      };
      return { real: [dashboard.ask], simulated: [inProcess(sim.handle, headers)] };
    });
  });

  describe("keeps the contract", () => {
    afterEach(() => dashboard.clear());
    storageContract(() => ({
      storage: adapter(password),
      stranger: adapter("a-wrong-password"),
      run: (call) => call,
      addVolume: (namespace, name) => dashboard.addVolume(namespace, name),
      removeVolume: (namespace, name) => dashboard.removeVolume(namespace, name),
      ledger: async () => {
        const item = (kind: string, id: string, name: string) => ({
          kind,
          id,
          system: "storage",
          owner: parseCephName(name) ?? null,
        });
        const namespaces = await dashboard.namespaces();
        const users = await dashboard.users();
        return [
          ...namespaces.map((name) => item("rbd_namespace", name, name)),
          ...users.map((name) => item("ceph_user", name, name.replace(/^client\./, ""))),
        ];
      },
    }));
  });
});
