import { beforeEach, describe, expect, it } from "vitest";
import { seconds, timeText } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import { asHubId } from "../../../core/id.ts";
import { readAudit } from "../../../core/kernel/audit/chain.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import type { CredentialRequest, Issuance } from "../../../core/ports/hub/credentials/port.ts";
import { type Api, catalogApi, order, people, v1 } from "../../support/api.ts";
import { signingRequest } from "../../support/signing-request.ts";

let api: Api;
let path: string;
let id: string;
let csr: string;
let asked: (CredentialRequest & { tenant: string })[];
let issuance: Issuance;

const day = 24 * 60 * 60 * 1000;
const time = (after: number) => new Date(api.deps.clock.now() + after).toISOString();
const told = (serial: string, ends = day) => ({
  serial,
  user: "ann",
  issue_timestamp: time(ends - day),
  expiration_timestamp: time(ends),
});

beforeEach(async () => {
  api = await catalogApi();
  id = (await api.ask("ann", "POST", `${v1}/clusters`, order("one"))).body.id;
  path = `${v1}/clusters/${id}/credentials`;
  csr = await signingRequest("ann");
  asked = [];
  const credential = { ...told("01"), certificate: "canary-certificate", kubeconfig: "canary-y" };
  issuance = { outcome: "issued", credential };
  api.deps.hubClients.set("hub-1", {
    credentials: {
      issueCredential: async ({ tenant }, request) => {
        asked.push({ ...request, tenant });
        return issuance;
      },
    },
  });
});

const place = () =>
  changeObject(api.deps, "cluster", id, (cluster) => ({
    ...cluster,
    placement: {
      hub: asHubId("hub-1"),
      at: cluster.metadata.creation_timestamp,
      reason: "",
      rejected: [],
      hosts: {},
    },
  }));

const issue = (body: unknown = { csr }) => api.ask("ann", "POST", path, body);

async function lastEntry() {
  const { entries } = await readAudit(
    api.deps.store,
    { tenant: "tenant-a" },
    { limit: 1, reverse: true },
  );
  return entries[0];
}

describe("a certificate for a caller's key", () => {
  beforeEach(place);

  it("comes from the hub, for the caller's name and the cluster's tenant, and is stored nowhere", async () => {
    const answer = await issue();
    expect(answer).toMatchObject({ status: 200, body: told("01") });
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.body).toMatchObject({
      certificate: "canary-certificate",
      kubeconfig: "canary-y",
    });
    expect(asked).toEqual([{ csr, user: "ann", tenant: "tenant-a" }]);
    expect(await lastEntry()).toMatchObject({
      ...{ verb: "issue", object_id: id, result: "AUDIT_RESULT_GRANTED" },
      actor: people.ann,
    });
    const stored = JSON.stringify(api.deps.store.stream(undefined, 100_000));
    expect(stored).not.toContain("canary");
    expect(stored).not.toContain(csr.split("\n")[1]);
    expect(JSON.stringify(api.deps.published)).not.toContain("canary");
  });

  it.each<[Issuance, number, string]>([
    [{ outcome: "waiting" }, 503, "ask again"],
    [{ outcome: "not-ready" }, 400, "no API yet"],
    [{ outcome: "revoking" }, 400, "being revoked"],
    [{ outcome: "spent" }, 400, "another key"],
  ])("is refused: %o is %i", async (outcome, status, words) => {
    issuance = outcome;
    const answer = await issue();
    expect(answer.status).toBe(status);
    expect(answer.body.message).toContain(words);
    expect(answer.body.code).toBe(status === 503 ? 14 : 9);
    expect(answer.headers.get("Retry-After")).toBe(status === 503 ? "5" : null);
  });

  it("says what is wrong with a request that the hub's worker found unfit", async () => {
    issuance = { outcome: "invalid", message: "must have the subject O=system:masters" };
    const { status, body } = await issue();
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('"field":"csr"');
    expect(await lastEntry()).toMatchObject({ verb: "issue", reason: "Invalid", status: 400 });
  });

  it.each([
    [{}],
    [{ csr: 1 }],
    [{ csr: "" }],
    [{ csr: "-----BEGIN CERTIFICATE REQUEST-----\n!\n-----END CERTIFICATE REQUEST-----" }],
    [{ csr: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----" }],
    [
      {
        csr: `-----BEGIN CERTIFICATE REQUEST-----\n${"A".repeat(8192)}\n-----END CERTIFICATE REQUEST-----`,
      },
    ],
    [{ csr: `-----BEGIN CERTIFICATE REQUEST-----\n${"A\n".repeat(200_000)}` }],
    [{ csr: "\n".repeat(200_000) }],
  ])("does not trouble the hub with what is none", async (body) => {
    const answer = await issue(body);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.text).toContain('"field":"csr"');
    expect(asked).toEqual([]);
  });

  it("is not given out unless the audit has it", async () => {
    api.deps.store.transact = async () => {
      throw new Error("the store is unreachable");
    };
    const { status, text } = await issue();
    expect(status).toBe(500);
    expect(text).not.toContain("canary");
  });

  it("is not made for a cluster that is on its way out", async () => {
    expect((await api.ask("ann", "DELETE", `${v1}/clusters/${id}`)).status).toBe(200);
    expect((await issue()).body).toMatchObject({ status: 400, code: 9 });
    expect(asked).toEqual([]);
  });

  it("is 503 when the hub cannot be asked, whose words stay inside", async () => {
    api.deps.hubClients.set("hub-1", {
      credentials: {
        issueCredential: () =>
          Promise.reject(new AppError("Rejected", "user hub-1-writer may not")),
      },
    });
    const { status, text } = await issue();
    expect(status).toBe(503);
    expect(text).not.toContain("hub-1");
  });
});

it.each([
  [
    "",
    "the certificate is not issued yet: the cluster's hub has not answered since TIME; send the same request again: it gets the one certificate that is issued meanwhile",
  ],
  [
    "/revoke",
    "it is not known whether the credentials are being revoked: the cluster's hub has not answered since TIME; send the same request again until it answers",
  ],
])(
  "says since when a hub has not answered, and what to do: credentials%s",
  async (verb, message) => {
    await place();
    const since = time(0);
    const late = async () => {
      await api.deps.clock.advance(seconds(20));
      throw new AppError("Unavailable", "hub-1 does not answer");
    };
    api.deps.hubClients.set("hub-1", {
      credentials: { issueCredential: late, revokeCredentials: late },
    });
    const body = verb === "" ? { csr } : {};
    const answer = await api.ask("ann", "POST", `${path}${verb}`, body);
    expect(answer.status).toBe(503);
    expect(answer.body.message).toBe(message.replace("TIME", timeText(since)));
    expect(answer.text).not.toContain("hub-1");
  },
);

it("a cluster that is on no hub has no certificates, and none are made", async () => {
  expect((await api.ask("ann", "GET", path)).body).toEqual({ size: 0, total: 0, items: [] });
  expect((await issue()).body).toMatchObject({ status: 400, code: 9 });
  expect((await api.ask("ann", "POST", `${path}/revoke`, {})).status).toBe(400);
});

describe("the certificates of a cluster", () => {
  const revocation = () => ({
    state: "REVOCATION_STATE_REVOKING" as const,
    request_timestamp: time(0),
  });
  beforeEach(place);

  it("are listed as the hub has them, but for those that have expired", async () => {
    const state = "CREDENTIAL_STATE_REVOKING" as const;
    const items = [
      { ...told("02"), state },
      { ...told("01", 0), state },
    ];
    api.deps.hubClients.set("hub-1", {
      credentials: {
        listCredentials: async () => ({ items, revocation: revocation() }),
      },
    });
    expect((await api.ask("ann", "GET", path)).body).toEqual({
      ...{ size: 1, total: 1, items: items.slice(0, 1) },
      revocation: revocation(),
    });
    expect(await lastEntry()).toMatchObject({ verb: "credentials", object_id: id });
  });

  it("are revoked all at once, under the audit", async () => {
    const tenants: string[] = [];
    api.deps.hubClients.set("hub-1", {
      credentials: {
        revokeCredentials: async ({ tenant }) => {
          tenants.push(tenant);
          return revocation();
        },
      },
    });
    const answer = await api.ask("ann", "POST", `${path}/revoke`, {});
    expect(answer).toMatchObject({ status: 200, body: revocation() });
    expect(tenants).toEqual(["tenant-a"]);
    expect(await lastEntry()).toMatchObject({ verb: "revoke", result: "AUDIT_RESULT_GRANTED" });
    expect((await api.ask("ann", "POST", `${path}/revoke`, "[")).status).toBe(400);
    expect(tenants).toHaveLength(1);
  });
});
