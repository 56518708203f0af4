import { afterAll, afterEach, describe, it } from "vitest";
import { systemClock } from "../../../core/clock.ts";
import { Ceph } from "../../../core/ports/storage/ceph/ceph.ts";
import { parseCephName } from "../../../core/ports/storage/ceph/name.ts";
import { cephFixture } from "../../core/ports/storage/ceph/fixture.ts";
import { storageContract } from "../../core/ports/storage/contract.ts";
import { compareRaw, inProcess } from "../compare.ts";
import { Manager } from "./manager.ts";
import { cephRows } from "./raw.ts";

/** A real cluster, such as test/live/ceph.sh starts. */
describe("a real Ceph", () => {
  const manager = Manager.ofEnvironment();
  if (!manager) {
    it.skip(
      "skipped: CEPH_URL, CEPH_USER, CEPH_PASSWORD and CEPH_POOL are not set (test/live/ceph.sh)",
    );
    return;
  }
  const { url, username, password, pool } = manager;
  const adapter = (given: string) =>
    new Ceph({
      url,
      pool,
      credential: async () => ({ username, password: given }),
      wall: systemClock,
      timeout: 30_000,
    });

  describe("answers as the simulated one", () => {
    afterAll(() => manager.clear());
    compareRaw(cephRows, () => {
      const { sim } = cephFixture();
      const headers = {
        authorization: `Bearer ${sim.newToken()}`,
        accept: "application/vnd.ceph.api.v1.0+json",
      };
      return { real: [manager.ask], simulated: [inProcess(sim.handle, headers)] };
    });
  });

  describe("keeps the contract", () => {
    afterEach(() => manager.clear());
    storageContract(() => ({
      storage: adapter(password),
      stranger: adapter("a-wrong-password"),
      run: (call) => call,
      addVolume: (namespace, name) => manager.addVolume(namespace, name),
      removeVolume: (namespace, name) => manager.removeVolume(namespace, name),
      ledger: async () => {
        const item = (kind: string, id: string, name: string) => ({
          kind,
          id,
          system: "storage",
          owner: parseCephName(name) ?? null,
        });
        const namespaces = await manager.namespaces();
        const users = await manager.users();
        return [
          ...namespaces.map((name) => item("rbd_namespace", name, name)),
          ...users.map((name) => item("ceph_user", name, name.replace(/^client\./, ""))),
        ];
      },
    }));
  });
});
